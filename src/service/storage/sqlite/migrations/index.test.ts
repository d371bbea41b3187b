import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { DatabaseFromNewerVersion } from '../../storage.ts'
import { migrate, migrations, refuseNewer, schemaVersion, type Migration } from './index.ts'

const dropsQuota: Migration = { version: 90_000, sql: 'DROP TABLE quota_days' }
const failsHalfway: Migration = {
  version: 90_010,
  sql: 'CREATE TABLE half (id INTEGER); DROP TABLE missing',
}

function openEmpty() {
  const folder = temporaryFolder()
  const db = new Sqlite(join(folder, 'modelport.db'))
  onTestFinished(() => void db.close())
  const copyTo = (version: number) => join(folder, `copy-${version}.db`)
  return { db, copyTo }
}

/** Every table and index as SQL, in a fixed order. */
function schemaOf(db: Sqlite.Database): string {
  const statements = db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .pluck()
    .all()
  return `${statements.join(';\n\n')};\n`
}

test('has ascending versions in steps of ten', () => {
  const versions = migrations.map(({ version }) => version)
  expect(versions).toEqual(versions.map((_, index) => (index + 1) * 10))
})

test('makes no copy of a new database', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version)
  expect(existsSync(copyTo(0))).toBe(false)
})

test('copies an existing database before changing it', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  const before = schemaVersion(db)
  db.prepare("INSERT INTO settings (name, value) VALUES ('port', '7000')").run()
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(schemaVersion(db)).toBe(dropsQuota.version)
  expect(schemaOf(db)).not.toContain('quota_days')
  const copy = new Sqlite(copyTo(before), { readonly: true })
  onTestFinished(() => void copy.close())
  expect(schemaVersion(copy)).toBe(before)
  expect(schemaOf(copy)).toContain('quota_days')
  expect(copy.prepare('SELECT value FROM settings').pluck().get()).toBe('7000')
})

test.skipIf(process.platform === 'win32')('lets only the owner read the copy', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(statSync(copyTo(migrations.at(-1)?.version ?? 0)).mode & 0o777).toBe(0o600)
})

test('leaves the database unchanged when one of several migrations fails', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo)
  const before = schemaOf(db)
  expect(() => migrate(db, copyTo, [...migrations, dropsQuota, failsHalfway])).toThrow('missing')
  expect(schemaOf(db)).toBe(before)
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version)
})

test('refuses a database whose schema it does not know', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, [...migrations, dropsQuota])
  expect(() => refuseNewer(db)).toThrow(DatabaseFromNewerVersion)
  expect(() => migrate(db, copyTo)).toThrow(/Install the newer version/)
})
