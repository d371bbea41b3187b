/**
 * `Sql` over better-sqlite3. Each function does its work before it returns, so between the calls of a store nothing but
 * microtasks run: no other call of the thread can enter the transaction.
 */
import type Sqlite from 'better-sqlite3'
import { addEncoded, emptyHistogram, encodeHistogram, type Histogram } from '../histogram.ts'
import type { Column, Dialect, InsertAll, RefusedRow, Sql, Statement } from '../sql/sql.ts'
import { isStorageFault, toError, toFailure } from './protocol.ts'

const dialect: Dialect = {
  engine: 'sqlite',
  insertOrder: 'rowid',
  greatest: (left, right) => `max(${left}, ${right})`,
  least: (left, right) => `min(${left}, ${right})`,
  lower: (text) => `lower(${text})`,
  position: (text, searched) => `instr(${text}, ${searched})`,
  jsonText: jsonValue,
  jsonNumber: jsonValue,
  jsonList: (list) => `SELECT value FROM json_each(${list})`,
  distinctJsonList: (column) => `json_group_array(DISTINCT ${column})`,
  withIndex: (index) => `INDEXED BY ${index}`,
  versionStep: '1',
  histograms: (column) => `merged_histogram(${column})`,
}

function jsonValue(column: string, path: string | number): string {
  return `json_extract(${column}, '$${typeof path === 'number' ? `[${path}]` : `.${path}`}')`
}

export function toSql(db: Sqlite.Database): Sql {
  defineMergedHistogram(db)
  return {
    dialect,
    prepare: <Values extends unknown[] | object, Row>(text: string) =>
      toStatement<Values, Row>(db.prepare<unknown[], Row>(text)),
    transaction: (work) => inTransaction(db, work),
    prepareInsertAll: (table, columns) => prepareInsertAll(db, table, columns),
    overwriting: (work) => overwriting(db, work),
  }
}

function defineMergedHistogram(db: Sqlite.Database): void {
  db.aggregate<Histogram>('merged_histogram', {
    start: emptyHistogram,
    step(merged: Histogram, bytes: unknown) {
      if (bytes instanceof Uint8Array) addEncoded(merged, bytes)
    },
    result: encodeHistogram,
  })
}

function prepareInsertAll(
  db: Sqlite.Database,
  table: string,
  columns: readonly Column[],
): InsertAll {
  // Binding by name would take more than twice as long.
  const insert = db.prepare(`
    INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})`)
  return async (rows) => {
    const refused: RefusedRow[] = []
    for (const [index, row] of rows.entries()) {
      try {
        insert.run(...row)
      } catch (error) {
        // A full disk affects all rows; an error in this row affects only the row.
        if (isStorageFault(error) || !db.inTransaction) throw error
        refused.push({ index, error: toError(toFailure(error)) })
      }
    }
    return refused
  }
}

/** Overwrites deleted content with zeros in the database file. */
export async function overwriting<Result>(
  db: Sqlite.Database,
  work: () => Promise<Result>,
): Promise<Result> {
  db.pragma('secure_delete = ON')
  try {
    return await work()
  } finally {
    db.pragma('secure_delete = OFF')
  }
}

function toStatement<Values extends unknown[] | object, Row>(
  statement: Sqlite.Statement<unknown[], Row>,
): Statement<Values, Row> {
  return {
    // `async`, so that an error is a rejection.
    get: async (...values) => statement.get(...values),
    all: async (...values) => statement.all(...values),
    run: async (...values) => ({ changes: statement.run(...values).changes }),
    each: async (visit, ...values) => {
      for (const row of statement.iterate(...values)) visit(row)
    },
    pluck: () => toStatement<Values, Row>(statement.pluck()),
  }
}

/**
 * Runs `work` in a transaction that holds the write lock from its beginning; inside a transaction, in a savepoint.
 * SQLite ends the whole transaction on some errors; then there is nothing left to undo.
 */
export async function inTransaction<Result>(
  db: Sqlite.Database,
  work: () => Result | Promise<Result>,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): Promise<Result> {
  const isInner = db.inTransaction
  db.exec(isInner ? 'SAVEPOINT part' : begin)
  try {
    const result = await work()
    db.exec(isInner ? 'RELEASE part' : 'COMMIT')
    return result
  } catch (error) {
    if (db.inTransaction) db.exec(isInner ? 'ROLLBACK TO part; RELEASE part' : 'ROLLBACK')
    throw error
  }
}
