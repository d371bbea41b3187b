/** The tables of both engines, for copies in either direction. */
import type { Database } from 'better-sqlite3'
import type { Client } from 'pg'
import { dataTables } from '../../sqlite/data-tables.ts'
import { serverOf, withClient } from '../connections.ts'
import { migrate } from '../migrations/index.ts'
import { toStorageError } from '../postgres-errors.ts'
import { toSql, type PostgresSql } from '../postgres-sql.ts'
import { openDownloadedCatalog, type DownloadedCatalogTable } from '../downloaded-catalog.ts'
import { openSealedKeys, type SealedKeyTable } from '../sealed-keys.ts'

export interface CopiedTable {
  table: string
  rows: number
}

export interface Column {
  name: string
  /** PostgreSQL's. */
  type: string
  isIdentity: boolean
}

/** Data that a data folder has in files. */
export interface FileTables {
  keys: SealedKeyTable
  catalog: DownloadedCatalogTable
}

export function openFileTables(sql: PostgresSql): FileTables {
  return { keys: openSealedKeys(sql), catalog: openDownloadedCatalog(sql) }
}

interface Connected {
  client: Client
  sql: PostgresSql
}

/** Connects to a database, migrates it, and runs the work in one transaction: either everything is copied, or nothing. */
export async function inDatabase<Result>(
  url: string,
  begin: string,
  work: (connected: Connected) => Promise<Result>,
): Promise<Result> {
  const server = serverOf(url)
  const copy = async (client: Client) => {
    await migrate(client)
    const sql = toSql(client, server)
    return sql.transaction(() => work({ client, sql }), begin)
  }
  return withClient(url, null, copy).catch((error: unknown) =>
    Promise.reject(toStorageError(error, server)),
  )
}

/** Tables to copy; those that refer to others come last. */
export function tablesOf(sqlite: Database): string[] {
  const refers = (name: string) =>
    sqlite.prepare('SELECT 1 FROM pragma_foreign_key_list(?)').all(name).length
  return dataTables(sqlite).toSorted(
    (one, other) => Math.sign(refers(one)) - Math.sign(refers(other)),
  )
}

/** Tables that have one row from the beginning, which the copy replaces. */
export const presetTables = new Set([
  'configuration_version',
  'feedback_version',
  'judged_version',
  'ledger_kept',
])

/** The columns of SQLite's table, with PostgreSQL's types. */
export async function columnsOf(
  sqlite: Database,
  client: Client,
  table: string,
): Promise<Column[]> {
  const names = sqlite
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
  const { rows } = await client.query<{ name: string; type: string; identity: string }>(
    `SELECT column_name AS name, data_type AS type, is_identity AS identity
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`,
    [table],
  )
  return names.map((name) => {
    const found = rows.find((row) => row.name === name)
    if (!found) throw new Error(`PostgreSQL's table ${table} has no column ${name}`)
    return { name, type: found.type, isIdentity: found.identity === 'YES' }
  })
}

export function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ')
}
