import type { Database } from 'better-sqlite3'
import type { KeptFrom } from './usage-spans.ts'

/** Since when each table of the ledger is whole. */
export function openKept(db: Database): () => KeptFrom {
  const select = db.prepare<[], KeptFrom>(`
    SELECT rows_from_ms AS rowsMs, minutes_from_ms AS minutesMs, hours_from_ms AS hoursMs
    FROM ledger_kept`)
  return () => select.get() ?? { rowsMs: 0, minutesMs: 0, hoursMs: 0 }
}
