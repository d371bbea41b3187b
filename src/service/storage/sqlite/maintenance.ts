import type { Database } from 'better-sqlite3'
import type { CheckDepth, Maintenance, StorageCheck } from '../maintenance.ts'
import type { MoneyCheck, MoneyQuery } from '../money-check.ts'
import { openMoneyCheck } from '../sql/money-check.ts'
import { openDaysThatDiffer, toDate } from '../sql/totals.ts'
import { openSqliteRebuild } from './ledger-parts.ts'
import { isStorageFault, toFailure } from './protocol.ts'
import { inTransaction, toSql } from './sqlite-sql.ts'
import { copyVerified } from './verified-copy.ts'

/** Most days to name: one line of output. */
const daysShown = 20

export function openMaintenance(db: Database): Omit<Maintenance, 'reserveSpace'> {
  return {
    async backup({ file, replaces }) {
      copyVerified(db, file, replaces)
    },
    check: openCheck(db),
    checkMoney: (query) => checkMoney(db, query),
    rebuildTotals: openSqliteRebuild(db),
    probe: openProbe(db),
  }
}

export function openCheck(db: Database): (depth: CheckDepth) => Promise<StorageCheck> {
  return async (depth) => {
    const { problems, version } = problemsOf(db, depth)
    const isIntact = problems.length === 0
    const days = isIntact && depth === 'full' ? await openDaysThatDiffer(toSql(db))() : []
    return {
      engine: `SQLite ${version}`,
      problems,
      daysThatDiffer: days.slice(0, daysShown).map(toDate),
      // The connection that writes checks its other settings when it is opened.
      isDurable: journalOf(db) === 'wal',
    }
  }
}

/** A transaction for each hour, so that the write-ahead log can be emptied in between. */
export function checkMoney(db: Database, query: MoneyQuery): Promise<MoneyCheck> {
  return openMoneyCheck(toSql(db), (work) => inTransaction(db, work, 'BEGIN'))(query)
}

function openProbe(db: Database): () => Promise<void> {
  // An UPDATE to the same value would write nothing; the file's header is always written.
  return async () => void db.pragma(`user_version = ${pragmaOf(db, 'user_version')}`)
}

/**
 * Finds damage, which can also end the check itself, before it begins if it is in the schema.
 * @throws the error of a lock
 */
function problemsOf(db: Database, depth: CheckDepth): { problems: string[]; version: string } {
  const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
  const one = (sql: string) => db.prepare<[], string>(sql).pluck()
  try {
    const version = one('SELECT sqlite_version()').get() ?? ''
    const verdicts = one(`PRAGMA ${check}(20)`).all()
    return { problems: verdicts.filter((verdict) => verdict !== 'ok'), version }
  } catch (error) {
    if (!isStorageFault(error) || isBusy(error)) throw error
    return { problems: [toFailure(error).message], version: '' }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

function pragmaOf(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }))
}

/** @returns null when damage prevents reading it */
function journalOf(db: Database): unknown {
  try {
    return db.pragma('journal_mode', { simple: true })
  } catch (error) {
    if (isStorageFault(error)) return null
    throw error
  }
}
