import type { RowRemoval } from '../sql/retention.ts'
import { resolutions } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'
import type { Partitions } from './partitions.ts'

const { dayMs } = resolutions

/** Deletes requests by whole days: dropping a day's table takes milliseconds at any size. */
export function openRowRemoval(sql: Sql, partitions: Partitions): RowRemoval {
  const usedBytes = sql
    .prepare<[], number>('SELECT pg_database_size(current_database()) AS bytes')
    .pluck()
  const removeContents = sql.prepare<[number]>(
    'DELETE FROM request_contents WHERE started_at_ms < ?',
  )
  return {
    async tooLargeBefore({ maxBytes, keptSinceMs }) {
      return ((await usedBytes.get()) ?? 0) > maxBytes ? keptSinceMs : 0
    },
    async removeRows(beforeMs) {
      await partitions.hold()
      const dayStartMs = await partitions.oldest()
      if (dayStartMs === null || dayStartMs + dayMs > beforeMs) return null
      await partitions.drop(dayStartMs)
      await removeContents.run(dayStartMs + dayMs)
      return dayStartMs + dayMs - 1
    },
    // PostgreSQL returns a dropped table's space at once, and reuses the rest.
    giveBack: () => Promise.resolve(false),
  }
}
