import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { migrations, schemaVersion } from './migrations/index.ts'
import { stageRestore } from './restore.ts'

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
