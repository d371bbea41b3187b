import { chmodSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Held until released; the system releases it when the process dies, however it dies. */
export interface FileLock {
  release(): void
}

/**
 * Takes a lock between processes, without waiting. It is a transaction left open: unlike a file with
 * a process id in it, it cannot outlive its holder, nor be taken for that of a process which got the
 * same id later.
 * @returns null when another process, or another part of this one, holds it
 */
export function tryFileLock(file: string, sqliteBinding?: string): FileLock | null {
  const db = new Sqlite(file, { timeout: 0, nativeBinding: sqliteBinding })
  try {
    chmodSync(file, 0o600)
    db.exec('BEGIN IMMEDIATE')
    return { release: () => void db.close() }
  } catch (error) {
    db.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
