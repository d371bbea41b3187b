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

test('a thread of 0.2.0 becomes a tree whose shown path is the thread, and its texts wait for the index', () => {
  const { db, copyTo } = openEmpty()
  migrate(db, copyTo, migrations.slice(0, 1))
  const insert = db.prepare(`
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state, set_aside)
    VALUES (?, ?, ?, ?, 1, ?, ?)`)
  db.exec(
    `INSERT INTO conversations (id, title, created_at_ms, updated_at_ms) VALUES ('c', 'C', 1, 1), ('d', 'D', 1, 1)`,
  )
  const rows: [id: string, role: string, text: string, state: string, setAside: 0 | 1][] = [
    ['q1', 'user', 'One?', 'complete', 0],
    ['a1', 'assistant', 'Kept.', 'complete', 0],
    ['b1', 'assistant', 'Aside.', 'complete', 1],
    ['q2', 'user', 'Two?', 'complete', 0],
    ['a2', 'assistant', 'Replaced.', 'complete', 1],
    ['b2', 'assistant', '', 'failed', 0],
    ['q3', 'user', 'Three?', 'complete', 0],
    ['a3', 'assistant', '', 'failed', 0],
    ['q4', 'user', 'Four?', 'complete', 0],
    ['q5', 'user', 'Five?', 'complete', 0],
  ]
  for (const [index, [id, role, text, state, setAside]] of rows.entries()) {
    insert.run(id, 'c', role, text, state, setAside)
    if (index === 2) insert.run('other', 'd', 'user', 'Another thread?', 'complete', 0)
  }

  migrate(db, copyTo)

  const parents = db
    .prepare<[], [string, string | null]>('SELECT id, parent_id FROM messages')
    .raw()
  expect(Object.fromEntries(parents.all())).toEqual({
    q1: null,
    a1: 'q1',
    b1: 'q1',
    q2: 'a1',
    a2: 'q2',
    b2: 'q2',
    q3: 'a2',
    a3: 'q3',
    q4: 'a3',
    q5: 'q4',
    other: null,
  })
  expect(db.prepare('SELECT count(*) AS waiting FROM unindexed_messages').get()).toEqual({
    waiting: 11,
  })
})
