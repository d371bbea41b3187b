/**
 * `Sql` over one connection to PostgreSQL. Statements have no names, so that PgBouncer can run each transaction on another
 * server connection.
 */
import { StorageConflict } from '../storage-errors.ts'
import type { Column, Dialect, InsertAll, RefusedRow, Sql, Statement, Value } from '../sql/sql.ts'
import { batchesOf } from './batches.ts'
import { isConcurrencyFailure, toStorageError } from './postgres-errors.ts'
import { toPostgresText, type StatementText } from './statement-text.ts'

/** The part of a `pg` client that is used here. */
export interface PostgresClient {
  query(statement: { text: string; values?: unknown[] }): Promise<PostgresResult>
}

export interface PostgresResult {
  rows: Record<string, unknown>[]
  rowCount: number | null
  fields: readonly { name: string }[]
}

const dialect: Dialect = {
  engine: 'postgres',
  insertOrder: 'seq',
  greatest: (left, right) => `greatest(${left}, ${right})`,
  least: (left, right) => `least(${left}, ${right})`,
  lower: (text) => `lower(CAST(${text} AS TEXT) COLLATE "C")`,
  position: (text, searched) => `strpos(${text}, ${searched})`,
  jsonText: (column, path) => `(${toJsonb(column)} #>> '${jsonPath(path)}')`,
  jsonNumber: (column, path) =>
    `CAST(${toJsonb(column)} #>> '${jsonPath(path)}' AS DOUBLE PRECISION)`,
  jsonList: (list) => `SELECT jsonb_array_elements_text(${toJsonb(list)})`,
  distinctJsonList: (column) => `coalesce(CAST(json_agg(DISTINCT ${column}) AS TEXT), '[]')`,
  withIndex: () => '',
  versionStep: '1 + CAST(floor(random() * 1000000) AS BIGINT)',
  histograms: (column) => `array_agg(${column})`,
}

/**
 * PostgreSQL refuses two escapes that valid JSON may contain, wherever they are in the text: the character 0, and half of a
 * surrogate pair, such as an emoji that was cut. Others take their places. `JSON.stringify` writes `\ud…` only for halves.
 */
function toJsonb(json: string): string {
  return String.raw`CAST(replace(replace(${json}, '\u0000', '\u2400'), '\ud', '\uf') AS JSONB)`
}

/** `{tokens,input}` */
function jsonPath(path: string | number): string {
  return `{${String(path).replaceAll('.', ',')}}`
}

export interface PostgresSql extends Sql {
  /** @param begin  statements that begin an outermost transaction */
  transaction<Result>(work: () => Promise<Result>, begin?: string): Promise<Result>
}

/** @param server  named in errors */
export function toSql(client: PostgresClient, server: string): PostgresSql {
  let depth = 0
  const query = async (text: string, values: unknown[] = []): Promise<PostgresResult> => {
    try {
      return await client.query({ text, values })
    } catch (error) {
      // The caller that began the transaction runs it again.
      throw isConcurrencyFailure(error) ? error : toStorageError(error, server)
    }
  }
  const transaction: PostgresSql['transaction'] = async (work, begin = 'BEGIN') => {
    const part = `part_${depth}`
    await query(depth === 0 ? begin : `SAVEPOINT ${part}`)
    depth += 1
    try {
      const result = await work()
      await query(depth === 1 ? 'COMMIT' : `RELEASE SAVEPOINT ${part}`)
      return result
    } catch (error) {
      await undo(depth === 1 ? 'ROLLBACK' : `ROLLBACK TO SAVEPOINT ${part}`)
      throw error
    } finally {
      depth -= 1
    }
  }
  const inTransaction: Run['inTransaction'] = (work) => (depth === 0 ? transaction(work) : work())
  // A connection that broke has undone everything already.
  const undo = (text: string) => query(text).catch(() => null)
  return {
    dialect,
    prepare: <Values extends unknown[] | object, Row>(text: string) =>
      toStatement<Values, Row>(toPostgresText(text), { query, inTransaction }),
    transaction,
    prepareInsertAll: (table, columns) => openInsertAll({ table, columns, query, transaction }),
    // A deleted row stays in the table's file until VACUUM; PostgreSQL cannot overwrite it.
    overwriting: (work) => work(),
  }
}

type Query = (text: string, values?: unknown[]) => Promise<PostgresResult>

interface Run {
  query: Query
  /** Runs work in the current transaction, or in a new one. */
  inTransaction: Sql['transaction']
}

function toStatement<Values extends unknown[] | object, Row>(
  { text, names }: StatementText,
  run: Run,
  isPlucked = false,
): Statement<Values, Row> {
  const ask = (values: readonly unknown[]) => run.query(text, toParameters(names, values))
  const toRows = ({ rows, fields }: PostgresResult): Row[] => {
    const [first] = fields
    // Checked boundary: the statement's author names the row's type.
    if (!isPlucked || first === undefined) return rows as Row[]
    return rows.map((row) => row[first.name]) as Row[]
  }
  const rowsOf = async (values: readonly unknown[]) => toRows(await ask(values))
  return {
    get: async (...values) => (await rowsOf(values))[0],
    all: (...values) => rowsOf(values),
    run: async (...values) => ({ changes: (await ask(values)).rowCount ?? 0 }),
    each: (visit, ...values) =>
      run.inTransaction(async () => {
        const bound = { values: toParameters(names, values) }
        for await (const batch of batchesOf(run.query, text, bound))
          for (const row of toRows(batch)) visit(row)
      }),
    pluck: () => toStatement<Values, Row>({ text, names }, run, true),
  }
}

function toParameters(names: readonly string[] | null, values: readonly unknown[]): unknown[] {
  if (names === null || names.length === 0) return values.map(toParameter)
  const [named] = values
  if (typeof named !== 'object' || named === null) throw new Error('Expected values by name')
  // Checked boundary: an object's fields are read by name.
  const byName = named as Record<string, unknown>
  return names.map((name) => {
    if (!(name in byName)) throw new Error(`Missing value: ${name}`)
    return toParameter(byName[name])
  })
}

/** PostgreSQL's texts cannot contain the character 0; its symbol takes its place. */
function toParameter(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u2400')
  if (Array.isArray(value)) return value.map(toParameter)
  if (value instanceof Uint8Array) return Buffer.from(value)
  return value
}

const arrayTypes = { TEXT: 'text', INTEGER: 'bigint', REAL: 'double precision' } as const

interface InsertAllOptions {
  table: string
  columns: readonly Column[]
  query: Query
  transaction: Sql['transaction']
}

/** One statement for all rows. When a value is refused, each row is stored on its own. */
function openInsertAll({ table, columns, query, transaction }: InsertAllOptions): InsertAll {
  const names = columns.map(({ name }) => name).join(', ')
  const lists = columns.map(({ type }, index) => `$${index + 1}::${arrayTypes[type]}[]`)
  const text = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${lists.join(', ')})
    ON CONFLICT DO NOTHING RETURNING id`
  const insert = async (rows: readonly (readonly Value[])[]): Promise<RefusedRow[]> => {
    const values = columns.map((_, column) => rows.map((row) => toParameter(row[column] ?? null)))
    const { rows: stored } = await query(text, values)
    return refusedOf(rows, new Set(stored.map(({ id }) => String(id))))
  }
  return async (rows) => {
    if (rows.length === 0) return []
    try {
      return await transaction(() => insert(rows))
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (rows.length === 1) return [{ index: 0, error }]
    }
    const refused: RefusedRow[] = []
    for (const [index, row] of rows.entries()) {
      try {
        const [own] = await transaction(() => insert([row]))
        if (own) refused.push({ ...own, index })
      } catch (error) {
        if (!isRefusal(error)) throw error
        refused.push({ index, error })
      }
    }
    return refused
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^Storage(Rejected|Conflict)$/.test(error.name)
}

/** Rows that were not stored. Of two rows with one id, the first was. */
function refusedOf(rows: readonly (readonly Value[])[], stored: Set<string>): RefusedRow[] {
  const refused: RefusedRow[] = []
  for (const [index, [id]] of rows.entries())
    if (!stored.delete(String(id)))
      refused.push({ index, error: new StorageConflict('This id is already taken.') })
  return refused
}
