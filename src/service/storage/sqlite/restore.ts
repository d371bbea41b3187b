/**
 * Replaces the database with a backup. The backup is first copied to the database's folder, where the copy is
 * checked, upgraded and counted, so that a bad backup fails before the database changes. Its rows then replace
 * those of the database in one SQLite transaction, so neither a crash nor another command on the same folder
 * sees a partial result. Renaming files under an open database does not guarantee this, so files are renamed
 * only when the database is too damaged for a transaction.
 */
import { copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { StorageCounts } from '../../../shared/app/backups.ts'
import type { AppliedRestore, StagedRestore } from '../maintenance.ts'
import { StorageUnavailable } from '../storage.ts'
import { openConfiguration } from '../sql/configuration.ts'
import { dataTables } from './data-tables.ts'
import { openDatabase } from './database.ts'
import {
  migrate,
  migrations,
  refuseNewer,
  schemaVersion,
  type Migration,
} from './migrations/index.ts'
import { salvageRequests } from './salvage.ts'
import { toSql } from './sqlite-sql.ts'
import { copyVerified, syncFile } from './verified-copy.ts'

interface DatabaseFiles {
  dataDir: string
  sqliteBinding?: string | undefined
}

export interface StageOptions extends DatabaseFiles {
  /** The backup; it is never changed. */
  file: string
  /** The default is this version's; a test adds those of a next version. */
  known?: readonly Migration[]
}

export interface ApplyOptions extends DatabaseFiles {
  /** Names the copy of the replaced database. */
  nowMs: number
}

/**
 * Copies the backup beside the database, where it is checked and upgraded. The database does not change. Call it
 * only while holding the data folder's lock (`lockDataFolder`): there is one staged copy per folder.
 * @throws DatabaseFromNewerVersion when the backup is from a newer version
 * @throws StorageUnavailable when it is missing, damaged, or not a Modelport database
 */
export async function stageRestore(options: StageOptions): Promise<StagedRestore> {
  const { dataDir, file } = options
  const database = join(dataDir, 'modelport.db')
  if (!existsSync(file)) throw new StorageUnavailable(`There is no file ${file}.`)
  if (existsSync(database) && realpathSync(database) === realpathSync(file))
    throw new StorageUnavailable('This file is the database itself, not a backup of it.')
  try {
    const after = await stage(options, stagedFile(dataDir))
    return { before: countDatabase(database, options.sqliteBinding)?.counts ?? null, after }
  } catch (error) {
    discardRestore(dataDir)
    throw toUnavailable(error, file)
  }
}

export function discardRestore(dataDir: string): void {
  const staged = stagedFile(dataDir)
  for (const file of [staged, olderCopyOf(staged)]) removeDatabase(file)
}

function stagedFile(dataDir: string): string {
  return join(dataDir, 'modelport.restoring.db')
}

/** The copy that an upgrade of the staged file makes first. */
function olderCopyOf(staged: string): string {
  return `${staged}.older`
}

async function stage(
  { file, sqliteBinding, known = migrations }: StageOptions,
  staged: string,
): Promise<StorageCounts> {
  const backup = new Sqlite(file, { readonly: true, nativeBinding: sqliteBinding })
  try {
    backup.pragma('trusted_schema = OFF')
    refuseNewer(backup)
    if (!hasKnownSchema(backup)) throw new StorageUnavailable(`${file} is not a Modelport backup.`)
    const verdict = backup.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new StorageUnavailable(`${file} is damaged. Nothing was changed.`)
    copyVerified(backup, staged, true)
  } finally {
    backup.close()
  }
  return upgrade(staged, sqliteBinding, known)
}

/** Upgrades to the newest schema; a database with any other schema is not from Modelport. */
async function upgrade(
  staged: string,
  sqliteBinding: string | undefined,
  known: readonly Migration[],
): Promise<StorageCounts> {
  const db = new Sqlite(staged, { nativeBinding: sqliteBinding })
  const fresh = new Sqlite(':memory:', { nativeBinding: sqliteBinding })
  const copyOfOlder = olderCopyOf(staged)
  try {
    migrate(db, () => copyOfOlder, known)
    migrate(fresh, () => copyOfOlder, known)
    if (schemaOf(db) !== schemaOf(fresh))
      throw new StorageUnavailable('The file contains tables that are not from Modelport.')
    // Refuses a configuration that a service could not read at its start.
    await openConfiguration(toSql(db)).read()
    return countIn(db)
  } finally {
    db.close()
    fresh.close()
    rmSync(copyOfOlder, { force: true })
    syncFile(staged)
  }
}

function schemaOf(db: Sqlite.Database): string {
  const select = db.prepare(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
  )
  return JSON.stringify(select.all())
}

function hasKnownSchema(db: Sqlite.Database): boolean {
  const version = schemaVersion(db)
  return migrations.some((migration) => migration.version === version)
}

function countIn(db: Sqlite.Database): StorageCounts {
  const rows = (table: string) =>
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  return {
    routers: rows('routers'),
    keys: rows('api_keys'),
    requests: rows('requests'),
    conversations: rows('conversations'),
  }
}

export interface CountedDatabase {
  counts: StorageCounts
  /** Whether this version has or had this schema; it refuses every other one. */
  hasKnownSchema: boolean
}

/** Reads only. @returns null when there is no such database, or it cannot be read */
export function countDatabase(file: string, sqliteBinding?: string): CountedDatabase | null {
  if (!existsSync(file)) return null
  try {
    const db = new Sqlite(file, { readonly: true, nativeBinding: sqliteBinding })
    try {
      return { counts: countIn(db), hasKnownSchema: hasKnownSchema(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return null
    throw error
  }
}

/**
 * Puts the staged backup in place of the database, which is kept as a copy. A database that cannot be read in
 * full is moved aside instead.
 * @throws StorageUnavailable; the database is unchanged then
 */
export async function applyRestore(options: ApplyOptions): Promise<AppliedRestore> {
  const { dataDir, sqliteBinding } = options
  const staged = stagedFile(dataDir)
  const database = join(dataDir, 'modelport.db')
  // A start of the service in between deletes it, and SQLite would open an empty one in its place.
  if (!existsSync(staged))
    throw new StorageUnavailable('The copy to restore is gone. Nothing was changed; try again.')
  try {
    if (!existsSync(database)) {
      // SQLite would apply the log of a deleted database to the restored one.
      setAsideDatabase(dataDir, options.nowMs)
      renameSync(staged, database)
      return { replaced: null, salvagedRequests: 0 }
    }
    // To the millisecond, because two restores can happen within one second.
    const kept = join(dataDir, `modelport.before-restore-${stampOf(options.nowMs)}.db`)
    const outcome = keepCopy(options, kept)
    if (outcome === 'copied') {
      replaceRows(options, staged)
      return { replaced: kept, salvagedRequests: 0 }
    }
    const salvagedRequests = await salvage(database, staged, sqliteBinding)
    const replaced = outcome === 'newer' ? kept : damagedFile(dataDir, options.nowMs)
    moveAside(options, staged, replaced)
    return { replaced, salvagedRequests }
  } catch (error) {
    throw toUnavailable(error, 'The database')
  } finally {
    removeDatabase(staged)
  }
}

async function salvage(
  damaged: string,
  staged: string,
  sqliteBinding: string | undefined,
): Promise<number> {
  const restored = new Sqlite(staged, { nativeBinding: sqliteBinding })
  try {
    return await salvageRequests({ damaged, restored, sqliteBinding })
  } finally {
    restored.close()
    syncFile(staged)
  }
}

/**
 * Moves a database that cannot be opened aside, for a start with an empty one. Nothing is deleted.
 */
export function setAsideDatabase(dataDir: string, nowMs: number): void {
  const database = join(dataDir, 'modelport.db')
  const kept = damagedFile(dataDir, nowMs)
  // The log first: SQLite would apply it to the next database of this name.
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(database + suffix)) renameSync(database + suffix, kept + suffix)
}

/** Replaces the database so that there is one at every moment: a crash must not lead to a start with an empty one. */
function moveAside({ dataDir }: ApplyOptions, staged: string, kept: string): void {
  const database = join(dataDir, 'modelport.db')
  try {
    linkSync(database, kept)
  } catch {
    // A file system without hard links.
    copyFileSync(database, kept)
  }
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(database + suffix)) renameSync(database + suffix, kept + suffix)
  renameSync(staged, database)
}

function damagedFile(dataDir: string, nowMs: number): string {
  return join(dataDir, `modelport.damaged-${stampOf(nowMs)}.db`)
}

/** `20261122T201503123Z` */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:.]/g, '')
}

/** A database of a newer version is intact, but its rows cannot be replaced. */
function keepCopy(
  { dataDir, sqliteBinding }: DatabaseFiles,
  kept: string,
): 'copied' | 'newer' | 'unreadable' {
  const db = new Sqlite(join(dataDir, 'modelport.db'), { nativeBinding: sqliteBinding })
  try {
    const verdict = db.pragma('integrity_check(1)', { simple: true })
    const version = schemaVersion(db)
    // Version 0 is a file of 0 bytes: there is nothing to copy, and it is not opened as a database.
    if (verdict !== 'ok' || version === 0) return 'unreadable'
    if (version > newestVersion) return 'newer'
    copyVerified(db, kept, false)
    return 'copied'
  } catch (error) {
    if (isDamage(error)) return 'unreadable'
    throw error
  } finally {
    db.close()
  }
}

const newestVersion = migrations.at(-1)?.version ?? 0
const damage = /^SQLITE_(CORRUPT|NOTADB)/

function isDamage(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && damage.test(error.code)
}

function replaceRows({ dataDir, sqliteBinding }: DatabaseFiles, staged: string): void {
  const db = openDatabase({ dataDir, sqliteBinding })
  try {
    const version = versionOf(db)
    db.prepare('ATTACH ? AS backup').run(staged)
    // A deleted row would take those with it that refer to it, and were copied before.
    db.pragma('foreign_keys = OFF')
    const replace = db.transaction(() => {
      // Names from Modelport's own schema, which the backup was checked to have.
      for (const table of dataTables(db)) {
        db.exec(`DELETE FROM main.${table}`)
        db.exec(`INSERT INTO main.${table} SELECT * FROM backup.${table}`)
      }
      // Greater than both versions, so that every process notices the change.
      db.prepare('UPDATE main.configuration_version SET version = max(version, ?) + 1').run(version)
    })
    replace.immediate()
    db.exec('DETACH backup')
  } finally {
    db.close()
  }
}

function versionOf(db: Sqlite.Database): number {
  const select = db.prepare<[], number>('SELECT version FROM configuration_version')
  return select.pluck().get() ?? 0
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

function toUnavailable(error: unknown, what: string): unknown {
  const isSqlite = error instanceof Sqlite.SqliteError
  if (!isSqlite && !(error instanceof z.ZodError)) return error
  const why = isDamage(error) ? 'is damaged or not a database' : 'cannot be used'
  const words = isSqlite ? ` (${error.message})` : ''
  return new StorageUnavailable(`${what} ${why}${words}. Nothing was changed.`, { cause: error })
}
