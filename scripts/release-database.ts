/**
 * `npm run release:database`: what later versions are tested with, in `test/releases`. A database of SQLite with
 * something in every table, what this version reads of it, the schema of PostgreSQL, and the checksums of the
 * migrations. Run it before a version is released; afterwards, these files never change.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { migrations as ofPostgres } from '../src/service/storage/postgres/migrations/index.ts'
import { migrations as ofSqlite } from '../src/service/storage/sqlite/migrations/index.ts'
import { dataTables } from '../src/service/storage/sqlite/data-tables.ts'
import { openStorage } from '../src/service/storage/sqlite/open-storage.ts'
import {
  checksums,
  checksumsFile,
  readReleases,
  releasesFolder,
} from '../test/releases/released.ts'
import { contentsOf, fillStorage } from '../test/releases/sample-data.ts'
import manifest from '../package.json' with { type: 'json' }

const { version } = manifest
const folder = join(releasesFolder, version)
mkdirSync(folder, { recursive: true })
await writeSqlite()
writePostgres()
writeChecksums()
console.log(`Wrote ${folder}`)

async function writeSqlite(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-release-'))
  const file = join(dataDir, 'release.db')
  const storage = await openStorage({ dataDir })
  try {
    await fillStorage(storage)
    await storage.maintenance.backup({ file, replaces: false })
    refuseEmptyTables(file)
    writeFileSync(join(folder, 'modelport.db.gz'), gzipSync(readFileSync(file), { level: 9 }))
    writeJson(join(folder, 'contents.json'), await contentsOf(storage))
  } finally {
    await storage.close()
    rmSync(dataDir, { recursive: true })
  }
}

/** @throws Error naming tables that `sample-data.ts` leaves out */
function refuseEmptyTables(file: string): void {
  const db = new Sqlite(file, { readonly: true })
  const isEmpty = (table: string) => db.prepare(`SELECT 1 FROM ${table}`).get() === undefined
  const empty = dataTables(db).filter(isEmpty)
  db.close()
  if (empty.length > 0)
    throw new Error(`test/releases/sample-data.ts adds no row to: ${empty.join(', ')}.`)
}

function writePostgres(): void {
  const steps = ofPostgres.map(
    ({ version: step, readableFrom, sql }) =>
      `${sql.trim()}\n\n  INSERT INTO schema_versions (version, readable_from) VALUES (${step}, ${readableFrom});\n`,
  )
  const table = `CREATE TABLE schema_versions (
    version BIGINT PRIMARY KEY,
    readable_from BIGINT NOT NULL,
    migrated_at TIMESTAMPTZ NOT NULL DEFAULT now()
  );`
  writeFileSync(join(folder, 'postgres.sql'), [table, ...steps].join('\n\n'))
}

function writeChecksums(): void {
  const newest = {
    sqlite: ofSqlite.at(-1)?.version ?? 0,
    postgres: ofPostgres.at(-1)?.version ?? 0,
  }
  writeJson(checksumsFile, { ...readReleases(), [version]: checksums(newest) })
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
