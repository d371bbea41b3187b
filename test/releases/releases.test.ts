/** A database of every released version opens in this one, with everything in it, and a released migration is never edited. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { copyFromSqlite } from '../../src/service/storage/postgres/copy/from-sqlite.ts'
import { openPostgresStorage } from '../../src/service/storage/postgres/open-postgres-storage.ts'
import { openDatabase } from '../../src/service/storage/sqlite/database.ts'
import { migrations } from '../../src/service/storage/sqlite/migrations/index.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { stageRestore } from '../../src/service/storage/sqlite/restore.ts'
import { postgresDatabase } from '../storage/postgres-database.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { checksums, readReleases, releasesFolder } from './released.ts'
import { contentsOf, fillStorage } from './sample-data.ts'

const releases = Object.entries(readReleases())
const fileOf = (version: string, name: string) => join(releasesFolder, version, name)

/** @returns the path of the database that the version wrote */
function writeDatabase(version: string, dataDir: string): string {
  const file = join(dataDir, 'modelport.db')
  writeFileSync(file, gunzipSync(readFileSync(fileOf(version, 'modelport.db.gz'))))
  return file
}

function expectedOf(version: string): object {
  return JSON.parse(readFileSync(fileOf(version, 'contents.json'), 'utf8'))
}

function open(dataDir: string): Database {
  const db = openDatabase({ dataDir })
  onTestFinished(() => void db.close())
  return db
}

function tablesOf(dataDir: string): unknown[] {
  const select = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'
  return open(dataDir).prepare(select).all()
}

/** Columns, constraints, indexes and functions, by names. */
const shape = `
  SELECT table_name || '.' || column_name AS name,
         concat_ws(' ', data_type, collation_name, is_nullable, column_default, is_identity) AS text
  FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY name, text`

async function inPostgres(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('this version and every version in the changelog have a database here', () => {
  const changelog = readFileSync(join(releasesFolder, '../../CHANGELOG.md'), 'utf8')
  const versions = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, name = '']) => name)
  const folders = readdirSync(releasesFolder).filter((name) => /^\d/.test(name))
  expect(versions).toContain(manifest.version)
  expect(releases.map(([version]) => version).toSorted()).toEqual(folders.toSorted())
  expect(folders.toSorted()).toEqual(versions.toSorted())
})

test('the sample data can be written and read by both engines alike', async () => {
  const sqlite = await openStorage({ dataDir: temporaryFolder() })
  const postgres = await openPostgresStorage({ url: await postgresDatabase() })
  await fillStorage(sqlite)
  await fillStorage(postgres)
  expect(await contentsOf(postgres)).toEqual(await contentsOf(sqlite))
  await sqlite.close()
  await postgres.close()
})

describe.each(releases)('%s', (version, released) => {
  test('none of its migrations was edited', () => {
    const { sqlite, postgres } = released
    expect(checksums({ sqlite: sqlite.schema, postgres: postgres.schema })).toEqual(released)
  })

  test('its SQLite database opens with everything in it, and gets the newest schema', async () => {
    const dataDir = temporaryFolder()
    writeDatabase(version, dataDir)
    const storage = await openStorage({ dataDir })
    expect(await contentsOf(storage)).toMatchObject(expectedOf(version))
    await storage.close()

    const copy = join(dataDir, `modelport.before-upgrade-from-${released.sqlite.schema}.db`)
    expect(existsSync(copy)).toBe(released.sqlite.schema !== migrations.at(-1)?.version)
    expect(tablesOf(dataDir)).toEqual(tablesOf(temporaryFolder()))
  })

  test('its backup can be restored', async () => {
    const file = writeDatabase(version, temporaryFolder())
    const { after } = await stageRestore({ dataDir: temporaryFolder(), file })
    expect(after).toEqual({ routers: 1, keys: 1, requests: 3, conversations: 1 })
  })

  test('its PostgreSQL database opens, takes everything, and gets the newest schema', async () => {
    const [url, fresh] = [await postgresDatabase(), await postgresDatabase()]
    await inPostgres(url, readFileSync(fileOf(version, 'postgres.sql'), 'utf8'))
    const dataDir = temporaryFolder()
    writeDatabase(version, dataDir)
    await copyFromSqlite(open(dataDir), url, () => Promise.resolve())
    const storage = await openPostgresStorage({ url })
    expect(await contentsOf(storage)).toMatchObject(expectedOf(version))
    await storage.close()

    await (await openPostgresStorage({ url: fresh })).close()
    const shapes = await Promise.all([url, fresh].map((one) => inPostgres(one, shape)))
    const withoutDays = shapes.map((rows) => rows.filter((row) => !isOfDay(row)))
    expect(withoutDays[0]).toEqual(withoutDays[1])
  })
})

/** A partition of a day is created with the day's first request. */
function isOfDay(row: unknown): boolean {
  return JSON.stringify(row).includes('requests_day_')
}
