/**
 * Old rows and roll-ups are deleted in slices, each a short transaction, so that other writes run in between.
 * Free pages are returned to the file system in the same way; some stay free for new rows.
 */
import type { Database } from 'better-sqlite3'
import type { Ledger, LedgerLimits } from '../storage.ts'
import { overwriting } from './contents.ts'
import type { Synchronous } from './protocol.ts'
import { openRemoveRouterChanges } from './router-changes.ts'
import { resolutions } from './rollups.ts'
import type { CompleteFrom } from './usage-spans.ts'

const { minuteMs, hourMs, dayMs } = resolutions

/** The most that one slice deletes or returns: some milliseconds of work. */
const rowsAtOnce = 200
const cellsAtOnce = 500
const pagesAtOnce = 200
/** Free pages of 4 KiB that are not returned, because an hour of new rows would use them again. */
const spareRoomPages = 1000

/** The time from which each table of the ledger is complete. */
export function openCompleteFrom(db: Database): () => CompleteFrom {
  const select = db.prepare<[], CompleteFrom>(`
    SELECT rows_from_ms AS rowsMs, minutes_from_ms AS minutesMs, hours_from_ms AS hoursMs
    FROM ledger_kept`)
  return () => select.get() ?? { rowsMs: 0, minutesMs: 0, hoursMs: 0 }
}

/** Call it outside of a transaction. */
export function openPrune(db: Database): Synchronous<Ledger>['prune'] {
  const removeRows = openRemoveRows(db)
  const removeExecutions = openRemoveExecutions(db)
  const removeMinutes = openRemoveCells(db, { lengthMs: minuteMs, column: 'minutes_from_ms' })
  const removeHours = openRemoveCells(db, { lengthMs: hourMs, column: 'hours_from_ms' })
  const removeRouterChanges = openRemoveRouterChanges(db)
  const giveBack = openGiveBack(db)
  const inTransaction = db.transaction((slice: () => boolean) => slice())

  return (limits) => {
    const slices = [
      () => removeRows(Math.max(limits.rowsBeforeMs, tooLargeBefore(db, limits))),
      () => removeExecutions(limits.rowsBeforeMs),
      () => removeMinutes(limits.minutesBeforeMs),
      () => removeHours(limits.hoursBeforeMs),
      () => removeRouterChanges(limits.hoursBeforeMs),
    ]
    if (slices.some((slice) => inTransaction.immediate(slice))) return false
    return !giveBack()
  }
}

/** The cutoff for rows that may be deleted while the database is too large; 0 once it is small enough. */
function tooLargeBefore(db: Database, { maxBytes, keptSinceMs }: LedgerLimits): number {
  const usedPages = pragma(db, 'page_count') - pragma(db, 'freelist_count')
  return usedPages * pragma(db, 'page_size') > maxBytes ? keptSinceMs : 0
}

/** @returns whether something was deleted */
type Remove = (beforeMs: number) => boolean

function openRemoveRows(db: Database): Remove {
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
  const moveKept = openMoveKept(db, 'rows_from_ms')

  return (beforeMs) => {
    const lastMs = selectLast.get(beforeMs) ?? null
    if (lastMs === null) return false
    overwriting(db, () => removeContents.run(beforeMs))
    remove.run(beforeMs)
    moveKept(lastMs)
    return true
  }
}

/** Executions of the days whose rows are deleted. */
function openRemoveExecutions(db: Database): Remove {
  const remove = db.prepare<[number]>(`
    DELETE FROM executions WHERE rowid IN (
      SELECT rowid FROM executions WHERE started_at_ms < ? LIMIT ${rowsAtOnce}
    )`)
  return (beforeMs) => remove.run(beforeMs).changes > 0
}

interface RollupTable {
  lengthMs: number
  column: 'minutes_from_ms' | 'hours_from_ms'
}

function openRemoveCells(db: Database, { lengthMs, column }: RollupTable): Remove {
  const selectLast = db
    .prepare<[number], number | null>(`
      SELECT max(start_ms) FROM (
        SELECT start_ms FROM usage_rollups WHERE length_ms = ${lengthMs} AND start_ms < ?
        ORDER BY start_ms LIMIT ${cellsAtOnce}
      )`)
    .pluck()
  const remove = db.prepare<[number]>(
    `DELETE FROM usage_rollups WHERE length_ms = ${lengthMs} AND start_ms <= ?`,
  )
  const moveKept = openMoveKept(db, column)

  return (beforeMs) => {
    const lastMs = selectLast.get(beforeMs) ?? null
    if (lastMs === null) return false
    remove.run(lastMs)
    moveKept(lastMs)
    return true
  }
}

/** A day with deleted rows is incomplete, so the complete part begins with the next day. */
function openMoveKept(db: Database, column: string): (removedMs: number) => void {
  const move = db.prepare<[number]>(`UPDATE ledger_kept SET ${column} = max(${column}, ?)`)
  return (removedMs) => {
    move.run(removedMs - (removedMs % dayMs) + dayMs)
  }
}

/** @returns whether free pages were returned; a database created without auto_vacuum keeps them */
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
