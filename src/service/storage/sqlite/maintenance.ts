import type { Database } from 'better-sqlite3'
import type { Maintenance } from '../maintenance.ts'
import { isStorageFault, toFailure, type Synchronous } from './protocol.ts'
import { resolutions } from './rollups.ts'
import { copyVerified } from './verified-copy.ts'

export function openMaintenance(db: Database): Synchronous<Maintenance> {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck()
  // Days of which rows were removed have only their totals. A cell stops at the greatest exact sum.
  const daysThatDiffer = db
    .prepare<{ dayMs: number }, string>(`
      SELECT date(start_ms / 1000, 'unixepoch') FROM (
        SELECT start_ms, requests, errors, cost_nano_usd AS cost FROM usage_rollups
        WHERE length_ms = :dayMs
        UNION ALL
        SELECT started_at_ms - started_at_ms % CAST(:dayMs AS INTEGER), -1, -(status >= 400),
               -cost_nano_usd
        FROM requests
      )
      WHERE start_ms >= (SELECT rows_from_ms FROM ledger_kept)
      GROUP BY start_ms
      HAVING total(requests) <> 0 OR total(errors) <> 0 OR total(cost) <> 0
      ORDER BY start_ms DESC LIMIT 20`)
    .pluck()

  return {
    backup({ file, replaces }) {
      copyVerified(db, file, replaces)
    },
    check() {
      const problems = problemsOf(db)
      return {
        engine: `SQLite ${version.get()}`,
        problems,
        daysThatDiffer: problems.length > 0 ? [] : daysThatDiffer.all({ dayMs: resolutions.dayMs }),
        isDurable: db.pragma('synchronous', { simple: true }) === 2,
      }
    },
  }
}

/** Damage can also end the check itself. */
function problemsOf(db: Database): string[] {
  try {
    const verdicts = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all()
    return verdicts.filter((verdict) => verdict !== 'ok')
  } catch (error) {
    if (isStorageFault(error)) return [toFailure(error).message]
    throw error
  }
}
