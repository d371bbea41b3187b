import type { QuotaStore } from '../storage.ts'
import type { Sql } from './sql.ts'

interface Take {
  routerId: string
  day: string
  wanted: number
  needed?: number
  limit: number | null
}

/**
 * Requests counted per router and UTC day; exact because each take holds the write lock.
 *
 * The day is the clock's, and clocks can be wrong. A later day starts with its own count and keeps it until
 * that day really comes. An earlier day takes the highest count of the days in between, so changing the clock
 * back and forth never gives extra requests. After a clock that was years ahead is corrected, the next day
 * counts from zero again.
 *
 * @param slices  beyond what is needed, a take gets at most this part of what is left
 */
export function openQuota(sql: Sql, slices = 1): QuotaStore {
  const { greatest } = sql.dialect
  const selectCurrent = sql
    .prepare<[string], string>('SELECT day FROM quota_current WHERE router_id = ?')
    .pluck()
  const saveCurrent = sql.prepare<[string, string]>(`
    INSERT INTO quota_current (router_id, day) VALUES (?, ?)
    ON CONFLICT (router_id) DO UPDATE SET day = excluded.day`)
  const takeOver = sql.prepare<{ routerId: string; day: string; current: string }>(`
    INSERT INTO quota_days (router_id, day, used)
      SELECT :routerId, :day, max(used) FROM quota_days
      WHERE router_id = :routerId AND day BETWEEN :day AND :current HAVING max(used) > 0
    ON CONFLICT (router_id, day) DO UPDATE SET used = excluded.used`)
  const selectUsed = sql
    .prepare<[string, string], number>(
      'SELECT used FROM quota_days WHERE router_id = ? AND day = ?',
    )
    .pluck()
  // The WHERE keeps the count within the limit, whatever the caller passes.
  const add = sql
    .prepare<{ routerId: string; day: string; granted: number; limit: number | null }, number>(`
      INSERT INTO quota_days (router_id, day, used) VALUES (:routerId, :day, :granted)
      ON CONFLICT (router_id, day) DO UPDATE SET used = quota_days.used + excluded.used
      WHERE CAST(:limit AS BIGINT) IS NULL OR quota_days.used + excluded.used <= :limit
      RETURNING used`)
    .pluck()
  const giveBack = sql.prepare<[number, string, string]>(
    `UPDATE quota_days SET used = ${greatest('0', 'used - ?')} WHERE router_id = ? AND day = ?`,
  )

  async function moveTo(routerId: string, day: string): Promise<void> {
    const current = await selectCurrent.get(routerId)
    if (current === day) return
    if (current !== undefined && day < current) await takeOver.run({ routerId, day, current })
    await saveCurrent.run(routerId, day)
  }

  return {
    async take({ routerId, day, wanted, needed = wanted, limit }: Take) {
      await moveTo(routerId, day)
      const usedBefore = (await selectUsed.get(routerId, day)) ?? 0
      const free = limit === null ? Infinity : Math.max(0, limit - usedBefore)
      const slice = Math.min(wanted, Math.max(needed, Math.floor(free / slices)))
      const granted = Math.min(slice, free)
      if (granted === 0) return { granted, used: usedBefore }
      const used = await add.get({ routerId, day, granted, limit })
      return used === undefined ? { granted: 0, used: usedBefore } : { granted, used }
    },
    async giveBack({ routerId, day, count }: { routerId: string; day: string; count: number }) {
      await giveBack.run(count, routerId, day)
    },
  }
}
