/** The ledger over a connection, with the parts that are SQLite's own. */
import type { Database } from 'better-sqlite3'
import { openLedger, type LedgerStore } from '../sql/ledger.ts'
import { openRollups } from '../sql/rollups.ts'
import { openRebuildTotals } from '../sql/totals.ts'
import { openCellTable } from './cell-table.ts'
import { openRowRemoval } from './row-removal.ts'
import { toSql } from './sqlite-sql.ts'

export function openSqliteLedger(db: Database): LedgerStore {
  const sql = toSql(db)
  const rollups = openRollups(sql, openCellTable(db))
  return openLedger(sql, { rollups, removal: openRowRemoval(db) })
}

/** Counts the requests of days whose totals differ again; call it outside of a transaction. */
export function openSqliteRebuild(db: Database): () => Promise<string[]> {
  const sql = toSql(db)
  const cells = openCellTable(db)
  return openRebuildTotals(sql, { rollups: openRollups(sql, cells), cells })
}
