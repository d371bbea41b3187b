/** Copies a PostgreSQL database to the new SQLite database of a data folder, and checks the copy. */
import type { Database } from 'better-sqlite3'
import type { Client } from 'pg'
import { StorageRejected } from '../../storage-errors.ts'
import { cellColumns, type RollupCell } from '../../sql/rollups.ts'
import { openCellTable } from '../../sqlite/cell-table.ts'
import { batchesOf } from '../batches.ts'
import { Contents, rowsInPostgres, rowsInSqlite } from './contents.ts'
import {
  columnsOf,
  inDatabase,
  namesOf,
  openFileTables,
  presetTables,
  tablesOf,
  type CopiedTable,
  type FileTables,
} from './tables.ts'

/** Sums of real numbers depend on their order in the last digits. */
const sumTolerance = 1e-9

interface Copy {
  client: Client
  target: Database
}

/**
 * Reads one state of the database; nodes may run, but what they store afterwards is not in the copy.
 * @param copyFiles  copies what is in files of the folder and in tables of the database
 * @throws StorageRejected when the copy differs; StorageUnavailable. The new database must then be deleted
 */
export async function copyToSqlite(
  target: Database,
  url: string,
  copyFiles: (tables: FileTables) => Promise<void>,
): Promise<CopiedTable[]> {
  return inDatabase(url, 'BEGIN ISOLATION LEVEL REPEATABLE READ', async ({ client, sql }) => {
    const copied: CopiedTable[] = []
    for (const table of tablesOf(target)) copied.push(await copyTable({ client, target }, table))
    await copyFiles(openFileTables(sql))
    return copied
  })
}

async function copyTable(copy: Copy, table: string): Promise<CopiedTable> {
  const { target, client } = copy
  if (table === 'usage_rollups') return { table, rows: await copyRollups(copy) }
  const columns = await columnsOf(target, client, table)
  if (presetTables.has(table)) target.exec(`DELETE FROM ${table}`)
  const places = columns.map(() => '?').join(', ')
  const insert = target.prepare(`INSERT INTO ${table} (${namesOf(columns)}) VALUES (${places})`)
  const original = new Contents()
  const insertAll = target.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) {
      original.add(row)
      insert.run(row)
    }
  })
  const order = await orderOf(client, table)
  for await (const rows of rowsInPostgres(client, { table, columns, order })) insertAll(rows)
  const stored = new Contents()
  for (const row of rowsInSqlite(target, table, columns)) stored.add(row)
  original.expectSame(stored, table)
  return { table, rows: stored.rows }
}

/** Orders rows as they were inserted, where the table has such a column. */
async function orderOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND column_name IN ('seq', 'position')
     ORDER BY column_name DESC LIMIT 1`,
    [table],
  )
  return rows[0] ? ` ORDER BY ${rows[0].name}` : ''
}

/** The cells of several nodes become one, so their sums are compared. */
async function copyRollups(copy: Copy): Promise<number> {
  const { client, target } = copy
  const cells = openCellTable(target)
  const figures = Object.entries(cellColumns).map(([field, column]) => `${column} AS "${field}"`)
  const select = `SELECT length_ms AS "lengthMs", start_ms AS "startMs", router_id AS "routerId", model,
    api_key_id AS "apiKeyId", tag, latency_us_max AS "latencyUsMax", latency_histogram AS latency,
    first_token_histogram AS "firstToken", ${figures.join(', ')} FROM usage_rollups`
  const query = (text: string) => client.query<FlatCell>(text)
  for await (const { rows } of batchesOf(query, select)) {
    target.exec('BEGIN')
    await cells.add(rows.map(toCell))
    target.exec('COMMIT')
  }
  await compareSums(copy)
  const count = target.prepare<[], number>('SELECT count(*) FROM usage_rollups').pluck()
  return count.get() ?? 0
}

type FlatCell = RollupCell['key'] & RollupCell['cell']

function toCell(row: FlatCell): RollupCell {
  const { lengthMs, startMs, routerId, model, apiKeyId, tag, ...cell } = row
  return { key: { lengthMs, startMs, routerId, model, apiKeyId, tag }, cell }
}

async function compareSums({ client, target }: Copy): Promise<void> {
  const columns = Object.values(cellColumns)
  const sums = columns.map(
    (name) => `coalesce(sum(CAST(${name} AS DOUBLE PRECISION)), 0) AS ${name}`,
  )
  const select = `SELECT ${sums.join(', ')} FROM usage_rollups`
  type Sums = Record<(typeof columns)[number], number>
  const { rows } = await client.query<Sums>(select)
  const stored = target.prepare<[], Sums>(select).get()
  for (const name of columns) {
    const [one, other] = [rows[0]?.[name] ?? 0, stored?.[name] ?? 0]
    if (Math.abs(one - other) > sumTolerance * Math.abs(one))
      throw new StorageRejected(`The copy of usage_rollups differs in ${name}. Nothing was copied.`)
  }
}
