import type { Database } from 'better-sqlite3'
import type { CheckDepth, Maintenance, StorageCheck } from '../maintenance.ts'
import { openCountedRows } from './counted-rows.ts'
import { isStorageFault, toFailure, type Synchronous } from './protocol.ts'
import { resolutions, type Rollups } from './rollups.ts'
import { openCompleteFrom } from './retention.ts'
import { copyVerified } from './verified-copy.ts'

const { minuteMs, dayMs } = resolutions
/** Enough for one line of output. */
const daysShown = 20

export function openMaintenance(
  db: Database,
  rollups: Rollups,
): Omit<Synchronous<Maintenance>, 'reserveSpace'> {
  return {
    backup({ file, replaces }) {
      copyVerified(db, file, replaces)
    },
    check: openCheck(db),
    rebuildTotals: openRebuildTotals(db, rollups),
    probe: openProbe(db),
  }
}

export function openCheck(db: Database): (depth: CheckDepth) => StorageCheck {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck()
  return (depth) => {
    const problems = problemsOf(db, depth)
    const isIntact = problems.length === 0
    const days = isIntact && depth === 'full' ? openDaysThatDiffer(db)() : []
    return {
      engine: `SQLite ${version.get()}`,
      problems,
      daysThatDiffer: days.slice(0, daysShown).map(toDate),
      // The connection that writes checks its other settings when it is opened.
      isDurable: journalOf(db) === 'wal',
    }
  }
}

/**
 * Start of each UTC day whose totals differ from its requests, newest first. Days with deleted requests are
 * left out: they have only their totals.
 */
function openDaysThatDiffer(db: Database): () => number[] {
  const select = db
    .prepare<{ dayMs: number }, number>(`
      SELECT start_ms FROM (
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
      ORDER BY start_ms DESC`)
    .pluck()
  return () => select.all({ dayMs })
}

/** Must be called outside of a write group, whose rows are stored before their counts. */
function openRebuildTotals(db: Database, rollups: Rollups): () => string[] {
  const daysThatDiffer = openDaysThatDiffer(db)
  const countedRows = openCountedRows(db)
  const completeFrom = openCompleteFrom(db)
  const rebuildDay = db.transaction((startMs: number) => {
    const span = { fromMs: startMs, toMs: startMs + dayMs }
    const minutes = countedRows({ ...span, routerId: null }, minuteMs)
    rollups.replace(span, minutes, completeFrom())
  })
  return () => {
    const days = daysThatDiffer()
    // One transaction a day, so that other processes can write in between.
    for (const startMs of days) rebuildDay.immediate(startMs)
    return days.map(toDate)
  }
}

function openProbe(db: Database): () => void {
  // An UPDATE to the same value would write nothing; the file's header is always written.
  return () => void db.pragma(`user_version = ${pragmaOf(db, 'user_version')}`)
}

/** `2026-11-21` */
function toDate(dayStartMs: number): string {
  return new Date(dayStartMs).toISOString().slice(0, 10)
}

/** Damage can also end the check itself. */
function problemsOf(db: Database, depth: CheckDepth): string[] {
  const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
  try {
    const verdicts = db.prepare<[], string>(`PRAGMA ${check}(20)`).pluck().all()
    return verdicts.filter((verdict) => verdict !== 'ok')
  } catch (error) {
    if (isStorageFault(error)) return [toFailure(error).message]
    throw error
  }
}

function pragmaOf(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }))
}

/** Null when damage prevents reading it. */
function journalOf(db: Database): unknown {
  try {
    return db.pragma('journal_mode', { simple: true })
  } catch (error) {
    if (isStorageFault(error)) return null
    throw error
  }
}
