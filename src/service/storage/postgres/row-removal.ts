import type { RowRemoval } from '../sql/retention.ts'
import { resolutions } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'
import type { Partitions } from './partitions.ts'

const { dayMs } = resolutions

/** About what a row of contents takes beside its texts: other columns, headers, and entries in two indexes. */
const rowBytes = 250

/** Deletes requests by whole days: dropping a day's table takes milliseconds at any size. */
export function openRowRemoval(sql: Sql, partitions: Partitions): RowRemoval {
  const usedBytes = sql
    .prepare<[], number>('SELECT pg_database_size(current_database()) AS bytes')
    .pluck()
  // Deleted rows leave their space in the table's files, for new ones. The sizes of long texts are read without the texts.
  const unusedBytes = sql
    .prepare<[], number>(`
      SELECT pg_total_relation_size('request_contents') - coalesce(sum(
        pg_column_size(request) + coalesce(pg_column_size(answer), 0) + ${rowBytes}
      ), 0) AS bytes FROM request_contents`)
    .pluck()
  const removeContents = sql.prepare<[number]>(
    'DELETE FROM request_contents WHERE started_at_ms < ?',
  )
  return {
    async tooLargeBefore({ maxBytes, keptSinceMs }) {
      const bytes = (await usedBytes.get()) ?? 0
      if (bytes <= maxBytes) return 0
      const unused = Math.max(0, (await unusedBytes.get()) ?? 0)
      return bytes - unused > maxBytes ? keptSinceMs : 0
    },
    async removeRows(beforeMs) {
      await partitions.hold()
      const dayStartMs = await partitions.oldest()
      if (dayStartMs === null || dayStartMs + dayMs > beforeMs) return null
      // First, because requests wait from the drop to the transaction's end.
      await removeContents.run(dayStartMs + dayMs)
      await partitions.drop(dayStartMs)
      return dayStartMs + dayMs - 1
    },
    // PostgreSQL returns a dropped table's space at once, and reuses the rest.
    giveBack: () => Promise.resolve(false),
  }
}
