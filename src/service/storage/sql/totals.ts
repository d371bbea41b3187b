/** Compares the totals of days with their requests, and counts days again. */
import { openCompleteFrom } from './complete-from.ts'
import { openCountedRows } from './counted-rows.ts'
import { totalOf } from './fragments.ts'
import { resolutions, type CellTable, type Rollups } from './rollups.ts'
import type { Sql } from './sql.ts'

const { minuteMs, dayMs } = resolutions

/**
 * Start of each UTC day whose totals differ from its requests, newest first. Days with deleted requests are
 * left out: they have only their totals.
 */
export function openDaysThatDiffer(sql: Sql): () => Promise<number[]> {
  const select = sql
    .prepare<{ dayMs: number }, number>(`
      SELECT start_ms FROM (
        SELECT start_ms, requests, errors, cost_nano_usd AS cost FROM usage_rollups
        WHERE length_ms = :dayMs
        UNION ALL
        SELECT started_at_ms - started_at_ms % CAST(:dayMs AS BIGINT), -1,
               CASE WHEN status >= 400 THEN -1 ELSE 0 END, -cost_nano_usd
        FROM requests
      ) AS counts
      WHERE start_ms >= (SELECT rows_from_ms FROM ledger_kept)
      GROUP BY start_ms
      HAVING sum(requests) <> 0 OR sum(errors) <> 0 OR ${totalOf('cost')} <> 0
      ORDER BY start_ms DESC`)
    .pluck()
  return () => select.all({ dayMs })
}

/**
 * Counts the requests of the days that differ again.
 * @returns these days, newest first; call it outside of a transaction
 */
export function openRebuildTotals(
  sql: Sql,
  { rollups, cells }: { rollups: Rollups; cells: CellTable },
): () => Promise<string[]> {
  const daysThatDiffer = openDaysThatDiffer(sql)
  const countedRows = openCountedRows(sql)
  const completeFrom = openCompleteFrom(sql)
  const rebuildDay = async (startMs: number) => {
    await cells.lock()
    const span = { fromMs: startMs, toMs: startMs + dayMs }
    const minutes = await countedRows({ ...span, routerId: null }, minuteMs)
    await rollups.replace(span, minutes, await completeFrom())
  }
  return async () => {
    const days = await daysThatDiffer()
    // One transaction a day, so that other processes can write in between.
    for (const startMs of days) await sql.transaction(() => rebuildDay(startMs))
    return days.map(toDate)
  }
}

/** `2026-11-21` */
export function toDate(dayStartMs: number): string {
  return new Date(dayStartMs).toISOString().slice(0, 10)
}
