/**
 * Old rows and roll-ups are deleted in slices, each a short transaction, so that other writes run in between.
 */
import type { Ledger, LedgerLimits } from '../storage.ts'
import { resolutions } from './rollups.ts'
import type { Sql } from './sql.ts'

const { minuteMs, hourMs, dayMs } = resolutions

/** The most that one slice deletes: some milliseconds of work. */
const executionsAtOnce = 200
const cellsAtOnce = 500

/** How an engine deletes rows of the ledger: SQLite some rows at a time, PostgreSQL a day's partition. */
export interface RowRemoval {
  /** The cutoff for rows that may be deleted while the storage is too large; 0 once it is small enough. */
  tooLargeBefore(limits: Pick<LedgerLimits, 'maxBytes' | 'keptSinceMs'>): Promise<number>
  /**
   * Deletes some requests that began before a time, with their contents, the oldest first; called in a transaction.
   * @returns when the last of them began; null when there was none
   */
  removeRows(beforeMs: number): Promise<number | null>
  /** Returns some free space to the file system. @returns whether there was any */
  giveBack(): Promise<boolean>
}

/** Call it outside of a transaction. */
export function openPrune(sql: Sql, removal: RowRemoval): Ledger['prune'] {
  const removeRows = openRemoveRows(sql, removal)
  const removeExecutions = openRemove(sql, oldest('executions', executionsAtOnce))
  const removeToolCalls = openRemove(sql, oldest('tool_calls', cellsAtOnce))
  const removeMinutes = openRemoveCells(sql, { lengthMs: minuteMs, column: 'minutes_from_ms' })
  const removeHours = openRemoveCells(sql, { lengthMs: hourMs, column: 'hours_from_ms' })
  const removeRouterChanges = openRemove(sql, 'DELETE FROM router_changes WHERE at_ms < ?')

  return async (limits) => {
    const slices = [
      async () => removeRows(Math.max(limits.rowsBeforeMs, await removal.tooLargeBefore(limits))),
      () => removeExecutions(limits.rowsBeforeMs),
      () => removeToolCalls(limits.rowsBeforeMs),
      () => removeMinutes(limits.minutesBeforeMs),
      () => removeHours(limits.hoursBeforeMs),
      () => removeRouterChanges(limits.hoursBeforeMs),
    ]
    for (const slice of slices) if (await sql.transaction(slice)) return false
    return !(await removal.giveBack())
  }
}

/** @returns whether something was deleted */
type Remove = (beforeMs: number) => Promise<boolean>

function openRemoveRows(sql: Sql, removal: RowRemoval): Remove {
  const moveKept = openMoveKept(sql, 'rows_from_ms')
  return async (beforeMs) => {
    const lastMs = await removal.removeRows(beforeMs)
    if (lastMs === null) return false
    await moveKept(lastMs)
    return true
  }
}

/** @param statement  deletes what is older than its only value */
function openRemove(sql: Sql, statement: string): Remove {
  const remove = sql.prepare<[number]>(statement)
  return async (beforeMs) => (await remove.run(beforeMs)).changes > 0
}

/** Deletes some of the days whose requests are deleted. */
function oldest(table: string, most: number): string {
  return `DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE started_at_ms < ? LIMIT ${most}
  )`
}

interface RollupTable {
  lengthMs: number
  column: 'minutes_from_ms' | 'hours_from_ms'
}

function openRemoveCells(sql: Sql, { lengthMs, column }: RollupTable): Remove {
  const selectLast = sql
    .prepare<[number], number | null>(`
      SELECT max(start_ms) FROM (
        SELECT start_ms FROM usage_rollups WHERE length_ms = ${lengthMs} AND start_ms < ?
        ORDER BY start_ms LIMIT ${cellsAtOnce}
      ) AS oldest`)
    .pluck()
  const remove = sql.prepare<[number]>(
    `DELETE FROM usage_rollups WHERE length_ms = ${lengthMs} AND start_ms <= ?`,
  )
  const moveKept = openMoveKept(sql, column)

  return async (beforeMs) => {
    const lastMs = (await selectLast.get(beforeMs)) ?? null
    if (lastMs === null) return false
    await remove.run(lastMs)
    await moveKept(lastMs)
    return true
  }
}

/** A day with deleted rows is incomplete, so the complete part begins with the next day. */
function openMoveKept(sql: Sql, column: string): (removedMs: number) => Promise<void> {
  const move = sql.prepare<[number]>(
    `UPDATE ledger_kept SET ${column} = ${sql.dialect.greatest(column, 'CAST(? AS BIGINT)')}`,
  )
  return async (removedMs) => {
    await move.run(removedMs - (removedMs % dayMs) + dayMs)
  }
}
