/** Opens the only connection of this process: durable, checked, migrated, readable by its owner only. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StorageUnavailable } from '../storage.ts'
import { migrate, refuseNewer, refuseOlder } from './migrations/index.ts'
import { createNewFile } from './new-file.ts'

/** How long a write waits for a write of another process. Only the storage worker waits. */
const busyTimeoutMs = 30_000
/** The size to which the write-ahead log is truncated once its content is in the database. */
const journalLimitBytes = 16 * 1024 * 1024
/** Up to 3.51.2 a race in SQLite's write-ahead log can corrupt the database. */
const oldestSafeSqlite = [3, 51, 3] as const

export interface DatabaseOptions {
  /** Created if missing; holds `modelport.db`. */
  dataDir: string
  /** The SQLite binding, for a runtime that the prebuilt one does not support. */
  sqliteBinding?: string | undefined
  /** Refuses a database of an older version in place of upgrading it. */
  keepsSchema?: boolean | undefined
}

/**
 * @throws DatabaseFromNewerVersion, DatabaseFromOlderVersion, before anything was written
 * @throws StorageUnavailable when a database was emptied, before anything was written
 * @throws Error when the SQLite library or its settings do not guarantee durable commits
 */
export function openDatabase({
  dataDir,
  sqliteBinding,
  keepsSchema = false,
}: DatabaseOptions): Sqlite.Database {
  const file = makeFiles(dataDir)
  const db = new Sqlite(file, { timeout: busyTimeoutMs, nativeBinding: sqliteBinding })
  try {
    refuseNewer(db)
    if (keepsSchema) refuseOlder(db)
    // Takes effect in a new database only, before anything is written.
    db.pragma('auto_vacuum = INCREMENTAL')
    useWriteAheadLog(db)
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma(`journal_size_limit = ${journalLimitBytes}`)
    assertDurable(db)
    migrate(db, (version) => join(dataDir, `modelport.before-upgrade-from-${version}.db`))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite gives its log files the permissions of the database, so setting them on this file is enough. */
export function makeFiles(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  chmodSync(dataDir, 0o700)
  const file = join(dataDir, 'modelport.db')
  const isNew = makeFile(file)
  chmodSync(file, 0o600)
  if (!isNew) refuseEmptied(dataDir, file)
  return file
}

/** Files that Modelport creates beside a database only once it has content. */
const tracesOfUse = /^(tls|secrets|modelport\.(before|replaced|damaged)-.*\.db)$/

/**
 * SQLite treats a file of 0 bytes as a new database. If Modelport was used before, its content was lost (a full
 * disk, a failed copy), and starting with a new database would hide the loss.
 */
function refuseEmptied(dataDir: string, file: string): void {
  // Another process that is creating the database has written to it by then.
  const giveUpAt = performance.now() + 1_000
  while (statSync(file).size === 0 && walBytes(file) === 0 && performance.now() < giveUpAt) pause()
  if (statSync(file).size > 0 || walBytes(file) > 0) return
  const traces = readdirSync(dataDir).filter((name) => tracesOfUse.test(name))
  if (traces.length === 0) return
  throw new StorageUnavailable(
    `The database ${file} is empty (0 bytes), but Modelport was used in this folder before (it has ${traces.join(', ')}). Nothing was changed. Restore a backup with “modelport restore FILE”, or move the empty file away to start with a new database.`,
  )
}

/** A database that was never checkpointed has all its content in the write-ahead log. */
function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Opens only a new file, because closing any handle of a file drops the locks that another connection of this
 * process has on it.
 * @returns whether the file did not exist
 */
function makeFile(file: string): boolean {
  try {
    createNewFile(file)
    return true
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw error
    return false
  }
}

/**
 * Switches to the write-ahead log. When several processes open a new database at once, SQLite answers "locked"
 * immediately, without its timeout, so the wait is implemented here.
 */
function useWriteAheadLog(db: Sqlite.Database): void {
  const giveUpAt = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      const isLocked = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isLocked || performance.now() > giveUpAt) throw error
      pause()
    }
  }
}

/** Blocks this thread for 20 ms. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}

function assertDurable(db: Sqlite.Database): void {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  if (isOlder(version, oldestSafeSqlite))
    throw new Error(
      `SQLite ${version} is too old: Modelport needs at least ${oldestSafeSqlite.join('.')}`,
    )
  const synchronous = db.pragma('synchronous', { simple: true })
  if (synchronous !== 2) throw new Error(`SQLite's synchronous is ${String(synchronous)}, not FULL`)
  const journal = db.pragma('journal_mode', { simple: true })
  if (journal !== 'wal') throw new Error(`SQLite's journal is ${String(journal)}, not wal`)
}

function isOlder(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, wanted] of oldest.entries()) {
    const part = parts[index] ?? 0
    if (part !== wanted) return part < wanted
  }
  return false
}
