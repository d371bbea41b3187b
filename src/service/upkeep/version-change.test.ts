import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { prepareVersion, readVersionHistory, restoreAtNextStart } from './version-change.ts'

const nowMs = Date.parse('2026-11-22T10:00:00Z')

/** One run of a version: its first start may copy or restore; then it stores a row for each id. */
async function run(dataDir: string, version: string, ids: readonly string[] = []): Promise<void> {
  await prepareVersion({ dataDir, version, now: () => nowMs })
  const storage = await openStorage({ dataDir })
  const rows = ids.map((id) => storage.ledger.append(sampleRecord({ id }), sampleDetail()))
  await Promise.all(rows)
  await storage.close()
}

function idsIn(file: string): string[] {
  const db = new Sqlite(file, { readonly: true })
  const ids = db.prepare<[], string>('SELECT id FROM requests ORDER BY id').pluck().all()
  db.close()
  return ids
}

const databaseOf = (dataDir: string) => join(dataDir, 'modelport.db')
const copiesIn = (dataDir: string) => readdirSync(join(dataDir, 'backups')).toSorted()

test('the first start of another version copies the database before it opens it', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a', 'b'])
  await run(dataDir, '0.2.0', ['c'])
  const history = await readVersionHistory(dataDir)
  const file = join(dataDir, 'backups', 'before-0.2.0.db')
  expect(history).toMatchObject({
    version: '0.2.0',
    before: { fromVersion: '0.1.0', file, atMs: nowMs },
  })
  expect(idsIn(file)).toEqual(['a', 'b'])
  expect(idsIn(databaseOf(dataDir))).toEqual(['a', 'b', 'c'])
})

test('a new data folder and a second start of a version make no copy', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0')
  await run(dataDir, '0.1.0')
  expect(readdirSync(dataDir)).not.toContain('backups')
  expect(await readVersionHistory(dataDir)).toMatchObject({ version: '0.1.0', before: null })
})

test('the copies of the two newest changes stay', async () => {
  const dataDir = temporaryFolder()
  for (const version of ['0.1.0', '0.2.0', '0.3.0', '0.4.0']) await run(dataDir, version)
  expect(copiesIn(dataDir)).toEqual(['before-0.3.0.db', 'before-0.4.0.db'])
})

test('going back restores the copy and keeps the database of the newer version', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a', 'b'])
  await run(dataDir, '0.2.0', ['c'])
  await restoreAtNextStart(dataDir, {
    file: join(dataDir, 'backups', 'before-0.2.0.db'),
    forVersion: '0.1.0',
  })
  await run(dataDir, '0.1.0', ['d'])
  const history = await readVersionHistory(dataDir)
  expect(history?.restored?.fromVersion).toBe('0.2.0')
  expect(idsIn(databaseOf(dataDir))).toEqual(['a', 'b', 'd'])
  expect(idsIn(history?.restored?.keptAs ?? '')).toEqual(['a', 'b', 'c'])
})

test('going back leaves a schema that this version does not know, and takes its requests along', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a'])
  await run(dataDir, '0.2.0', ['b'])
  const db = new Sqlite(databaseOf(dataDir))
  db.exec('CREATE TABLE of_the_newer_version (id TEXT)')
  db.pragma('user_version = 99990')
  db.close()
  await restoreAtNextStart(dataDir, {
    file: join(dataDir, 'backups', 'before-0.2.0.db'),
    forVersion: '0.1.0',
  })
  await run(dataDir, '0.1.0')
  const history = await readVersionHistory(dataDir)
  expect(idsIn(databaseOf(dataDir))).toEqual(['a', 'b'])
  expect(history?.restored?.keptAs).toContain('modelport.before-restore-')
  expect(idsIn(history?.restored?.keptAs ?? '')).toEqual(['a', 'b'])
})

test('a copy that cannot be restored changes nothing and is not tried again', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a'])
  await run(dataDir, '0.2.0', ['b'])
  const file = join(dataDir, 'backups', 'before-0.2.0.db')
  writeFileSync(file, 'not a database')
  await restoreAtNextStart(dataDir, { file, forVersion: '0.1.0' })
  await run(dataDir, '0.1.0')
  expect(idsIn(databaseOf(dataDir))).toEqual(['a', 'b'])
  expect(await readVersionHistory(dataDir)).toMatchObject({
    // The version that was left can be started again with its database.
    before: { fromVersion: '0.2.0', file: join(dataDir, 'backups', 'before-0.1.0.db') },
    restoreFrom: null,
    restored: null,
    restoreProblem: expect.stringContaining('Nothing was changed'),
  })
})

test('another version than the one that was left for does not restore the copy', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a'])
  await run(dataDir, '0.2.0', ['b'])
  const restoreFrom = { file: join(dataDir, 'backups', 'before-0.2.0.db'), forVersion: '0.1.0' }
  await restoreAtNextStart(dataDir, restoreFrom)

  await run(dataDir, '0.2.0', ['c'])

  expect(idsIn(databaseOf(dataDir))).toEqual(['a', 'b', 'c'])
  expect(await readVersionHistory(dataDir)).toMatchObject({ restoreFrom, restored: null })
  await run(dataDir, '0.1.0')
  expect(idsIn(databaseOf(dataDir))).toEqual(['a'])
})

test('the older version, started once by mistake, does not cost the way back', async () => {
  const dataDir = temporaryFolder()
  await run(dataDir, '0.1.0', ['a'])
  await run(dataDir, '0.2.0', ['b'])
  // A schema that only 0.2.0 knows.
  const db = new Sqlite(databaseOf(dataDir))
  db.pragma('user_version = 99990')
  db.close()
  const history = await readVersionHistory(dataDir)
  await expect(run(dataDir, '0.1.0')).rejects.toThrow(/newer/i)
  await prepareVersion({ dataDir, version: '0.2.0', now: () => nowMs })
  expect(await readVersionHistory(dataDir)).toEqual(history)
  expect(idsIn(history?.before?.file ?? '')).toEqual(['a'])
})
