import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { fillStorage } from '../../../../test/releases/sample-data.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { migrations, schemaVersion } from './migrations/index.ts'
import { applyRestore, stageRestore } from './restore.ts'
import { dataTables } from './data-tables.ts'
import { openStorage } from './open-storage.ts'

const nextVersion = [
  ...migrations,
  { version: 90_000, sql: "ALTER TABLE settings ADD COLUMN added TEXT NOT NULL DEFAULT 'added'" },
]

test('upgrades the copy of an older version’s backup, and not the backup', async () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()]
  const older = openDatabase({ dataDir: folder })
  older.exec("INSERT INTO settings (name, value) VALUES ('port', '7000')")
  older.close()
  const file = join(folder, 'modelport.db')
  const before = readFileSync(file)

  const counts = { routers: 0, keys: 0, requests: 0, conversations: 0 }
  expect(await stageRestore({ dataDir, file, known: nextVersion })).toEqual({
    before: null,
    after: counts,
  })

  expect(readFileSync(file)).toEqual(before)
  expect(readdirSync(dataDir)).toEqual(['modelport.restoring.db'])
  const staged = new Sqlite(join(dataDir, 'modelport.restoring.db'), { readonly: true })
  onTestFinished(() => void staged.close())
  expect(schemaVersion(staged)).toBe(90_000)
  expect(staged.prepare('SELECT name, value, added FROM settings').raw().all()).toEqual([
    ['port', '7000', 'added'],
  ])
})

test('every table has the rows of the backup, also where the database had the same ones', async () => {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  await fillStorage(storage)
  await storage.close()
  const file = join(temporaryFolder(), 'backup.db')
  copyFileSync(join(dataDir, 'modelport.db'), file)

  await stageRestore({ dataDir, file })
  await applyRestore({ dataDir, nowMs: 1 })

  const [restored, backup] = [join(dataDir, 'modelport.db'), file].map(rowsOf)
  expect(restored).toEqual(backup)
})

/** The rows of each table; the version of the configuration counts restores. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new Sqlite(file, { readonly: true })
  const tables = dataTables(db).filter((table) => table !== 'configuration_version')
  const rows = tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).raw().all()])
  db.close()
  return Object.fromEntries(rows)
}
