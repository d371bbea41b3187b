/** Copies the SQLite database of a data folder into an empty PostgreSQL database, and checks the copy. */
import type { Database } from 'better-sqlite3'
import type { Client } from 'pg'
import { StorageConflict } from '../../storage-errors.ts'
import { openPartitions, type Partitions } from '../partitions.ts'
import { Contents, rowsInPostgres, rowsInSqlite } from './contents.ts'
import {
  columnsOf,
  inDatabase,
  namesOf,
  openFileTables,
  presetTables,
  tablesOf,
  type Column,
  type CopiedTable,
  type FileTables,
} from './tables.ts'

/** A statement's values are one message, and a list of texts is one string, which V8 limits to half a gigabyte. */
const rowsAtOnce = 500
const sizeAtOnce = 16 * 2 ** 20

interface Copy {
  source: Database
  client: Client
  partitions: Partitions
}

/**
 * One transaction: either everything is copied, or nothing.
 * @param copyFiles  copies what is in files of the folder and in tables of the database
 * @throws StorageConflict when the database has content; StorageRejected when the copy differs; StorageUnavailable
 */
export async function copyFromSqlite(
  source: Database,
  url: string,
  copyFiles: (tables: FileTables) => Promise<void>,
): Promise<CopiedTable[]> {
  return inDatabase(url, 'BEGIN', async ({ client, sql }) => {
    const copy = { source, client, partitions: openPartitions(sql, new Set()) }
    const copied: CopiedTable[] = []
    // First, because saving the catalog raises the configuration's version, which the copy then replaces.
    await copyFiles(openFileTables(sql))
    for (const table of tablesOf(source)) copied.push(await copyTable(copy, table))
    return copied
  })
}

async function copyTable(copy: Copy, table: string): Promise<CopiedTable> {
  const { source, client } = copy
  const columns = await columnsOf(source, client, table)
  if (presetTables.has(table)) await client.query(`DELETE FROM ${table}`)
  else await refuseContent(client, table)
  const original = new Contents()
  for (const batch of batchesIn(source, table, columns)) {
    for (const row of batch) original.add(row)
    await insert(copy, { table, columns, batch })
  }
  for (const { name, isIdentity } of columns)
    if (isIdentity)
      await client.query(
        `SELECT setval(pg_get_serial_sequence('${table}', '${name}'), max(${name})) FROM ${table} HAVING count(*) > 0`,
      )
  const stored = new Contents()
  for await (const rows of rowsInPostgres(client, { table, columns }))
    for (const row of rows) stored.add(row)
  original.expectSame(stored, table)
  return { table, rows: stored.rows }
}

async function refuseContent(client: Client, table: string): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`)
  if (rows.length > 0)
    throw new StorageConflict(`The database is not empty: it has ${table}. Nothing was copied.`)
}

function* batchesIn(
  source: Database,
  table: string,
  columns: readonly Column[],
): Generator<unknown[][]> {
  let batch: unknown[][] = []
  let size = 0
  for (const row of rowsInSqlite(source, table, columns)) {
    batch.push(row.map(toValue))
    size += row.reduce<number>((sum, value) => sum + sizeOf(value), 0)
    if (batch.length < rowsAtOnce && size < sizeAtOnce) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

/** PostgreSQL's texts cannot contain the character 0; its symbol takes its place. */
function toValue(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value
}

async function insert(
  { client, partitions }: Copy,
  { table, columns, batch }: { table: string; columns: readonly Column[]; batch: unknown[][] },
): Promise<void> {
  const valuesOf = (place: number) => batch.map((row) => row[place])
  if (table === 'requests') {
    const place = columns.findIndex(({ name }) => name === 'started_at_ms')
    await partitions.ensure(valuesOf(place).map(Number))
  }
  // A roll-up's row also has a slot; nodes add to their own.
  const slot =
    table === 'usage_rollups' ? { name: ', slot', value: ', 0' } : { name: '', value: '' }
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`)
  await client.query(
    `INSERT INTO ${table} (${namesOf(columns)}${slot.name}) OVERRIDING SYSTEM VALUE
     SELECT *${slot.value} FROM unnest(${lists.join(', ')})`,
    columns.map((_, place) => valuesOf(place)),
  )
}
