/** A command of a newer version on the database of an older one: as a start, it leaves a way back. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { newModelport } from '../../../test/command-line/modelport.ts'
import { readReleases, releasesFolder } from '../../../test/releases/released.ts'
import { lockDataFolder } from '../data-folder/data-folder.ts'

const released = '0.2.0'
const releasedSchema = readReleases()[released]?.sqlite.schema

function folderOfRelease() {
  const modelport = newModelport()
  const { dataDir } = modelport
  const database = join(dataDir, 'modelport.db')
  writeFileSync(
    database,
    gunzipSync(readFileSync(join(releasesFolder, released, 'modelport.db.gz'))),
  )
  const versions = join(dataDir, 'updates', 'version.json')
  mkdirSync(join(dataDir, 'updates'))
  writeFileSync(versions, JSON.stringify({ version: '0.1.9' }))
  return { ...modelport, dataDir, database, versions }
}

function schemaOf(file: string): unknown {
  const db = new Sqlite(file, { readonly: true })
  onTestFinished(() => void db.close())
  return db.pragma('user_version', { simple: true })
}

test('a command copies the older database before it upgrades it, and remembers the copy', async () => {
  const { run, database, versions, dataDir } = folderOfRelease()

  expect(await run(['router', 'list'])).toMatchObject({ code: 0 })

  const { version } = packageFile
  const file = join(dataDir, 'backups', `before-${version}.db`)
  expect(JSON.parse(readFileSync(versions, 'utf8'))).toMatchObject({
    version,
    before: { fromVersion: '0.1.9', file },
  })
  expect(schemaOf(file)).toBe(releasedSchema)
  expect(schemaOf(database)).toBeGreaterThan(releasedSchema ?? Infinity)
})

test('a command leaves a database alone that a service of the older version uses', async () => {
  const { run, database, dataDir } = folderOfRelease()
  const unlock = lockDataFolder({ dataDir, holder: 'serve' })
  onTestFinished(unlock)

  const { code, stderr } = await run(['router', 'list'])

  expect(code).toBe(1)
  expect(stderr).toMatch(/older version of Modelport .* is used by “modelport serve”/)
  expect(schemaOf(database)).toBe(releasedSchema)
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
})

test('of commands that start together, one upgrades the database, and the others wait for it', async () => {
  const { run } = folderOfRelease()

  const commands = await Promise.all([1, 2, 3].map(() => run(['router', 'list'])))

  expect(commands.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    commands.map(() => ({ code: 0, stderr: '' })),
  )
})
