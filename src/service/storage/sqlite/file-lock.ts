import { chmodSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Held until released. The system releases it when the process ends, even after a crash. */
export interface FileLock {
  release(): void
}

/** A database without a reference would be closed by the garbage collector, and its lock released. */
const held = new Set<Sqlite.Database>()

/**
 * Takes a lock between processes, without waiting. The lock is an open transaction. Unlike a file with a
 * process id, it ends with its process and cannot be mistaken for the lock of a later process with the same
 * id.
 * @returns null when another process, or another part of this one, holds it
 */
export function tryFileLock(file: string, sqliteBinding?: string): FileLock | null {
  const db = new Sqlite(file, { timeout: 0, nativeBinding: sqliteBinding })
  try {
    chmodSync(file, 0o600)
    db.exec('BEGIN IMMEDIATE')
    held.add(db)
    return {
      release() {
        held.delete(db)
        db.close()
      },
    }
  } catch (error) {
    db.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}
