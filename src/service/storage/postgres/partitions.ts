/** The partitions of `requests`: one for each UTC day. */
import { resolutions } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'

const { dayMs } = resolutions
/** Partitions are created and deleted under this lock, by one node at a time. */
const partitionsLock = 7_705_180_132

/** For statements that lock `requests`: while one waits for a long report, every request would wait behind it. */
export const waitBriefly = "SET LOCAL lock_timeout = '2s'"

export interface Partitions {
  /** Creates the partitions of these times and of the days after them; call it outside of a transaction. */
  ensure(timesMs: readonly number[]): Promise<void>
  /** The day of the oldest partition, as its start in Unix ms; null without any. */
  oldest(): Promise<number | null>
  /** Keeps other nodes from creating or deleting partitions until the end of the caller's transaction. */
  hold(): Promise<void>
  /** Deletes the partition of a day, in the caller's transaction, which holds the partitions. */
  drop(dayStartMs: number): Promise<void>
}

/** @param known  numbers of the days whose partitions exist; all connections of a node share it */
export function openPartitions(sql: Sql, known: Set<number>): Partitions {
  const lock = sql.prepare(`SELECT pg_advisory_xact_lock(${partitionsLock})`)
  const selectNames = sql
    .prepare<[], string>(`
      SELECT child.relname FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
      WHERE inhparent = CAST('requests' AS regclass)`)
    .pluck()
  // An administrator may have attached others.
  const days = async () =>
    (await selectNames.all())
      .filter((name) => name.startsWith(prefix))
      .map((name) => Number(name.slice(prefix.length)))
      .filter(Number.isInteger)

  return {
    async ensure(timesMs) {
      const wanted = new Set(timesMs.map((timeMs) => Math.floor(timeMs / dayMs)))
      if ([...wanted].every((day) => known.has(day))) return
      await sql.transaction(async () => {
        await lock.run()
        for (const day of await days()) known.add(day)
        // The next day's before midnight, so that its first request does not wait for it.
        const all = new Set([...wanted].flatMap((day) => [day, day + 1]))
        for (const day of all) if (!known.has(day)) await create(sql, day)
      })
      for (const day of wanted) known.add(day).add(day + 1)
    },
    async oldest() {
      const oldest = Math.min(...(await days()))
      return Number.isFinite(oldest) ? oldest * dayMs : null
    },
    hold: async () => void (await lock.run()),
    async drop(dayStartMs) {
      const day = dayStartMs / dayMs
      known.delete(day)
      await sql.prepare(waitBriefly).run()
      await sql.prepare(`DROP TABLE IF EXISTS ${nameOf(day)}`).run()
    },
  }
}

const prefix = 'requests_day_'

/** Quoted: the number of a day before 1970 is negative. */
function nameOf(day: number): string {
  return `"${prefix}${day}"`
}

/** Creates a table and attaches it, which waits for less than creating it as a partition. */
async function create(sql: Sql, day: number): Promise<void> {
  const name = nameOf(day)
  await sql.prepare(`CREATE TABLE ${name} (LIKE requests INCLUDING DEFAULTS)`).run()
  await sql
    .prepare(
      `ALTER TABLE requests ATTACH PARTITION ${name}
       FOR VALUES FROM (${day * dayMs}) TO (${(day + 1) * dayMs})`,
    )
    .run()
}
