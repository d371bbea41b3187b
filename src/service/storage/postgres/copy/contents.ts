/** Compares the contents of a table in both engines. */
import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { Client } from 'pg'
import { StorageRejected } from '../../storage-errors.ts'
import { batchesOf } from '../batches.ts'
import { namesOf, type Column } from './tables.ts'

/**
 * The number of rows and the sum of their hashes. The sum does not depend on the order in which the engines deliver
 * the rows.
 */
export class Contents {
  rows = 0
  readonly #sums = new Uint32Array(8)

  add(values: readonly unknown[]): void {
    const hash = createHash('sha256')
      .update(JSON.stringify(values.map(toJson)))
      .digest()
    for (const [index, sum] of this.#sums.entries())
      this.#sums[index] = sum + hash.readUInt32LE(index * 4)
    this.rows += 1
  }

  /** @throws StorageRejected */
  expectSame(copy: Contents, table: string): void {
    if (this.rows !== copy.rows)
      throw new StorageRejected(
        `The copy of ${table} has ${copy.rows} of ${this.rows} rows. Nothing was copied.`,
      )
    if (!this.#sums.every((sum, index) => sum === copy.#sums[index]))
      throw new StorageRejected(
        `The copy of ${table} differs from the original. Nothing was copied.`,
      )
  }
}

function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** Rows as lists of values, in the order of the columns. */
export function* rowsInSqlite(
  sqlite: Database,
  table: string,
  columns: readonly Column[],
): Generator<unknown[]> {
  yield* sqlite
    .prepare<[], unknown[]>(`SELECT ${namesOf(columns)} FROM ${table}${insertOrder(sqlite, table)}`)
    .raw()
    .iterate()
}

/** The ORDER BY for the order of insertion, where the table has one. */
function insertOrder(sqlite: Database, table: string): string {
  const found = sqlite
    .prepare<[string], number>('SELECT 1 FROM pragma_table_list WHERE name = ? AND wr = 0')
    .get(table)
  return found === undefined ? '' : ' ORDER BY rowid'
}

/** Tables whose rows can have megabytes. */
const largeTables = new Set(['blobs', 'request_contents'])

/** @param order  an ORDER BY clause, or nothing */
export async function* rowsInPostgres(
  client: Client,
  { table, columns, order = '' }: { table: string; columns: readonly Column[]; order?: string },
): AsyncGenerator<unknown[][]> {
  const select = `SELECT ${namesOf(columns)} FROM ${table}${order}`
  const query = (text: string) => client.query<unknown[]>({ text, rowMode: 'array' })
  const rowsAtOnce = largeTables.has(table) ? 10 : undefined
  for await (const { rows } of batchesOf(query, select, { rowsAtOnce })) yield rows
}
