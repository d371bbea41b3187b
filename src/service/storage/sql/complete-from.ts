import type { Sql } from './sql.ts'
import type { CompleteFrom } from './usage-spans.ts'

/** The time from which each table of the ledger is complete. */
export function openCompleteFrom(sql: Sql): () => Promise<CompleteFrom> {
  const select = sql.prepare<[], CompleteFrom>(`
    SELECT rows_from_ms AS "rowsMs", minutes_from_ms AS "minutesMs", hours_from_ms AS "hoursMs"
    FROM ledger_kept`)
  return async () => (await select.get()) ?? { rowsMs: 0, minutesMs: 0, hoursMs: 0 }
}
