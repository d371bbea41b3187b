/**
 * Reads the newest requests of a damaged database into a restored one. Damage is mostly local: the pages at the
 * end of the ledger can often be read although a page before them cannot.
 */
import Sqlite, { type Database } from 'better-sqlite3'
import { openSqliteRebuild } from './ledger-parts.ts'

/** Rows are stored when a request ends, so their start times are not in order. No request takes longer. */
const slackMs = 3_600_000

export interface SalvageOptions {
  /** The damaged database; it is only read. */
  damaged: string
  /** The restored database, with the newest schema. */
  restored: Database
  sqliteBinding?: string | undefined
}

/** @returns how many requests were added; 0 when none can be read */
export async function salvageRequests({
  damaged,
  restored,
  sqliteBinding,
}: SalvageOptions): Promise<number> {
  const source = openReadable(damaged, sqliteBinding)
  if (source === null) return 0
  try {
    if (schemaOf(source) !== schemaOf(restored)) return 0
    const added = restored.transaction(() => copyNewest(source, restored))()
    if (added > 0) await openSqliteRebuild(restored)()
    return added
  } finally {
    source.close()
  }
}

function openReadable(file: string, nativeBinding: string | undefined): Database | null {
  try {
    return new Sqlite(file, { readonly: true, nativeBinding })
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return null
    throw error
  }
}

/** @returns null when the schema cannot be read */
function schemaOf(db: Database): string | null {
  try {
    const select = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'requests'")
    return select.pluck().get() ?? null
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return null
    throw error
  }
}

/** Copies from the newest row backwards; after damage, also from the oldest row up to the damage. */
function copyNewest(source: Database, restored: Database): number {
  const newest = restored.prepare<[], number | null>('SELECT max(started_at_ms) FROM requests')
  const fromMs = (newest.pluck().get() ?? 0) - slackMs
  const backwards = copyRows({ source, restored, fromMs, order: 'DESC' })
  if (backwards.isComplete) return backwards.added
  return backwards.added + copyRows({ source, restored, fromMs, order: 'ASC' }).added
}

interface CopyOptions {
  source: Database
  restored: Database
  fromMs: number
  order: 'ASC' | 'DESC'
}

function copyRows({ source, restored, fromMs, order }: CopyOptions) {
  let added = 0
  const insert = openInsert(source, restored)
  try {
    const rows = source.prepare<[], unknown[]>(`SELECT * FROM requests ORDER BY rowid ${order}`)
    const startedAt = columnsOf(source).indexOf('started_at_ms')
    for (const row of rows.raw().iterate()) {
      if (Number(row[startedAt]) >= fromMs) added += insert(row)
      else if (order === 'DESC') break
    }
    return { added, isComplete: true }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return { added, isComplete: false }
    throw error
  }
}

/** The function returns 0 for a row that exists already, and for one that damage made invalid. */
function openInsert(source: Database, restored: Database): (row: unknown[]) => number {
  const columns = columnsOf(source)
  const insert = restored.prepare(
    `INSERT OR IGNORE INTO requests (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  return (row) => {
    try {
      return insert.run(...row).changes
    } catch (error) {
      const isInvalid =
        error instanceof Sqlite.SqliteError && /CONSTRAINT|MISMATCH/.test(error.code)
      if (isInvalid) return 0
      throw error
    }
  }
}

function columnsOf(db: Database): string[] {
  const rows = db.prepare<[], string>("SELECT name FROM pragma_table_info('requests')")
  return rows.pluck().all()
}
