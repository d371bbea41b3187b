/**
 * Requests are deleted some at a time. Free pages are returned to the file system in the same way; some stay free for
 * new rows.
 */
import type { Database } from 'better-sqlite3'
import type { RowRemoval } from '../sql/retention.ts'
import { overwriting } from './sqlite-sql.ts'

/** The most that one slice deletes or returns: some milliseconds of work. */
const rowsAtOnce = 200
const pagesAtOnce = 200
/** Free pages of 4 KiB that are not returned, because an hour of new rows would use them again. */
const spareRoomPages = 1000

export function openRowRemoval(db: Database): RowRemoval {
  const giveBack = openGiveBack(db)
  return {
    async tooLargeBefore({ maxBytes, keptSinceMs }) {
      const usedPages = pragma(db, 'page_count') - pragma(db, 'freelist_count')
      return usedPages * pragma(db, 'page_size') > maxBytes ? keptSinceMs : 0
    },
    removeRows: openRemoveRows(db),
    giveBack: async () => giveBack(),
  }
}

function openRemoveRows(db: Database): RowRemoval['removeRows'] {
  const selectLast = db
    .prepare<[number], number | null>(`
      SELECT max(started_at_ms) FROM (
        SELECT started_at_ms FROM requests WHERE started_at_ms < ?
        ORDER BY started_at_ms LIMIT ${rowsAtOnce}
      )`)
    .pluck()
  const remove = db.prepare<[number]>(`
    DELETE FROM requests WHERE rowid IN (
      SELECT rowid FROM requests WHERE started_at_ms < ? ORDER BY started_at_ms LIMIT ${rowsAtOnce}
    )`)
  const removeContents = db.prepare<[number]>(`
    DELETE FROM request_contents WHERE request_id IN (
      SELECT id FROM requests WHERE started_at_ms < ? ORDER BY started_at_ms LIMIT ${rowsAtOnce}
    )`)

  return async (beforeMs) => {
    const lastMs = selectLast.get(beforeMs) ?? null
    if (lastMs === null) return null
    await overwriting(db, async () => removeContents.run(beforeMs))
    remove.run(beforeMs)
    return lastMs
  }
}

/** @returns whether free pages were returned; a database without auto_vacuum keeps them */
function openGiveBack(db: Database): () => boolean {
  const isAble = pragma(db, 'auto_vacuum') === 2
  return () => {
    if (!isAble || pragma(db, 'freelist_count') <= spareRoomPages) return false
    db.pragma(`incremental_vacuum(${pagesAtOnce})`)
    return true
  }
}

function pragma(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }))
}
