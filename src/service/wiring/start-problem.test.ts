import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { FileProblem } from '../data-folder/file-errors.ts'
import { startService } from '../service.ts'
import { StorageUnavailable } from '../storage/storage-errors.ts'
import { startProblemOf } from './start-problem.ts'

/** @returns the problem of a start with this data folder */
async function problemOf(dataDir: string) {
  const cacheDir = join(dataDir, 'cache')
  const options = { dataDir, cacheDir, holder: 'desktop', allowSessionSecrets: true } as const
  try {
    const service = await startService({ ...options, env: {}, port: 0 })
    await service.close()
    return null
  } catch (error) {
    return startProblemOf(error)
  }
}

test('a database of a newer version is named as such', async () => {
  const dataDir = temporaryFolder()
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  db.pragma('user_version = 999990')
  db.close()

  expect(await problemOf(dataDir)).toMatchObject({
    problem: 'newer_database',
    message: expect.stringContaining('schema 999990'),
  })
})

test('a damaged database is named as such', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'modelport.db'), 'not a database, but long enough '.repeat(200))

  expect(await problemOf(dataDir)).toEqual({
    problem: 'damaged',
    message: 'The database is damaged (file is not a database).',
  })
})

test('a database that was emptied counts as damaged', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'tls'))
  writeFileSync(join(dataDir, 'modelport.db'), '')

  expect(await problemOf(dataDir)).toEqual({
    problem: 'damaged',
    message: expect.stringMatching(/is empty \(0 bytes\).* Nothing was changed\.$/),
  })
})

test('a data folder of a running service is in use', async () => {
  const dataDir = temporaryFolder()
  const first = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    holder: 'serve',
    allowSessionSecrets: true,
    env: {},
    port: 0,
  })

  expect(await problemOf(dataDir)).toMatchObject({
    problem: 'folder_in_use',
    message: expect.stringContaining('modelport serve'),
  })
  await first.close()
})

test('a folder in place of the database cannot be used', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'modelport.db'))

  expect((await problemOf(dataDir))?.problem).not.toBeNull()
})

test.each([
  ['SQLITE_BUSY', 'database_locked'],
  ['SQLITE_LOCKED_SHAREDCACHE', 'database_locked'],
  ['SQLITE_FULL', 'disk_full'],
  ['ENOSPC', 'disk_full'],
  ['SQLITE_CANTOPEN', 'no_access'],
  ['EACCES', 'no_access'],
  ['SQLITE_IOERR', 'unexpected'],
])('the code %s means %s', (code, problem) => {
  const error = new StorageUnavailable('it failed', { code, path: '/data/modelport.db' })

  expect(startProblemOf(error).problem).toBe(problem)
})

test('a full disk is recognised through the error that explains it', () => {
  const cause = Object.assign(new Error('no space'), { code: 'ENOSPC' })

  expect(startProblemOf(new FileProblem('The disk is full.', { cause }))).toEqual({
    problem: 'disk_full',
    message: 'The disk is full.',
  })
})

test('the text of an unexpected error stays in the log', () => {
  expect(startProblemOf(new TypeError('secret'))).toEqual({
    problem: 'unexpected',
    message: 'The log in the data folder has the details.',
  })
})
