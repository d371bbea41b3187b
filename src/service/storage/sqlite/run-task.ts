/** The tasks of database-tasks.ts, in their thread. */
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { DatabaseOptions } from './database.ts'
import { checkMoney, openCheck } from './maintenance.ts'
import { refuseNewer } from './migrations/index.ts'
import type { DatabaseTask } from './protocol.ts'
import { applyRestore, countDatabase, stageRestore } from './restore.ts'
import { copyVerified } from './verified-copy.ts'

export async function runTask(options: DatabaseOptions, task: DatabaseTask): Promise<unknown> {
  const { sqliteBinding } = options
  switch (task.kind) {
    case 'copy':
      return copy(options, task.to)
    case 'check':
      return readOnly(options, (db) => openCheck(db)(task.depth))
    case 'check-money':
      return readOnly(options, (db) => checkMoney(db, task.query))
    case 'count':
      return task.files.map((file) => countDatabase(file, sqliteBinding))
    case 'stage-restore':
      return stageRestore({ ...options, file: task.file })
    case 'apply-restore':
      return applyRestore({ ...options, nowMs: task.nowMs })
  }
}

/**
 * Copies the file without opening it as this version's database, which would upgrade it.
 * @throws DatabaseFromNewerVersion: this version will not open it, and a copy could replace the way back from that one
 */
function copy({ dataDir, sqliteBinding }: DatabaseOptions, to: string): null {
  const file = join(dataDir, 'modelport.db')
  const db = new Sqlite(file, { fileMustExist: true, nativeBinding: sqliteBinding })
  try {
    refuseNewer(db)
    copyVerified(db, to, true)
    return null
  } finally {
    db.close()
  }
}

/** Works on a read-only connection. */
async function readOnly<Result>(
  { dataDir, sqliteBinding }: DatabaseOptions,
  work: (db: Sqlite.Database) => Promise<Result>,
): Promise<Result> {
  const file = join(dataDir, 'modelport.db')
  const db = new Sqlite(file, { readonly: true, nativeBinding: sqliteBinding })
  try {
    return await work(db)
  } finally {
    db.close()
  }
}
