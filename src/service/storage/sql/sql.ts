/**
 * What the stores need of a database: statements, transactions, and the few expressions in which the dialects of SQLite and
 * PostgreSQL differ. A `Sql` is one connection. Its owner begins and ends the transaction in which a store's function
 * runs, so a store only uses `transaction` where it needs several, or a part that may fail alone.
 *
 * Rules for statements, so that both engines run the same text:
 * - Positions are `?`, names are `:name`; one statement uses either of them.
 * - An alias with capital letters is quoted: `started_at_ms AS "startedAtMs"`.
 * - A value whose type does not follow from its place is cast: `CAST(:limit AS BIGINT) IS NULL`.
 * - `ON CONFLICT` names its columns, and columns in its `SET` expressions are qualified by their table.
 * - Booleans are 0 or 1 in columns; a comparison is counted with `CASE` or `FILTER`, never added.
 */

export interface Statement<Values extends unknown[] | object, Row> {
  /** The first row. */
  get(...values: Bound<Values>): Promise<Row | undefined>
  all(...values: Bound<Values>): Promise<Row[]>
  run(...values: Bound<Values>): Promise<{ changes: number }>
  /** Calls `visit` with each row, without holding all of them in memory. */
  each(visit: (row: Row) => void, ...values: Bound<Values>): Promise<void>
  /** The same statement, whose rows are the values of its first column. */
  pluck(): Statement<Values, Row>
}

/** Values by position, or one object with the values by name. */
type Bound<Values extends unknown[] | object> = Values extends unknown[] ? Values : [Values]

/** A value of a column. */
export type Value = string | number | null

export interface Column {
  name: string
  type: 'TEXT' | 'INTEGER' | 'REAL'
}

/** A row of a group that was not stored. */
export interface RefusedRow {
  /** Index of the row in the group. */
  index: number
  /** StorageConflict when a row with this id is stored already; else StorageRejected. */
  error: Error
}

/**
 * Stores the rows of a group that can be stored.
 * @throws StorageUnavailable when the database cannot be written; the transaction must then be undone
 */
export type InsertAll = (rows: readonly (readonly Value[])[]) => Promise<RefusedRow[]>

export interface Sql {
  readonly dialect: Dialect
  /** Prepared once per connection; opening a store prepares its statements. */
  prepare<Values extends unknown[] | object = unknown[], Row = unknown>(
    text: string,
  ): Statement<Values, Row>
  /** Inside a transaction, a savepoint: when `work` fails, only its changes are undone. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** @param table  its rows are identified by the first column, `id` */
  prepareInsertAll(table: string, columns: readonly Column[]): InsertAll
  /**
   * Runs work whose deleted content does not stay in the database's files, as far as the engine allows: SQLite
   * overwrites it with zeros.
   */
  overwriting<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Expressions that the engines write differently. Each takes and gives SQL text. */
export interface Dialect {
  engine: 'sqlite' | 'postgres'
  /** The column that holds the order in which a table's rows were inserted. */
  insertOrder: string
  /** The greater of two numbers. */
  greatest(left: string, right: string): string
  /** The smaller of two numbers. */
  least(left: string, right: string): string
  /** A text with the 26 ASCII letters in lower case, whatever the language of the database is. */
  lower(text: string): string
  /** Position of a text in another one, counted from 1; 0 when it does not occur. */
  position(text: string, searched: string): string
  /**
   * A text or a number in a column of JSON, by a path such as `contentDays` or `tokens.input`, or by its index in a
   * list; SQL's NULL when it is missing. `jsonText` of a list is its JSON.
   */
  jsonText(column: string, path: string | number): string
  jsonNumber(column: string, path: string | number): string
  /** A subquery with the texts of a JSON list, for `IN (…)`. */
  jsonList(list: string): string
  /** An aggregate: a JSON list of a column's different texts. */
  distinctJsonList(column: string): string
  /** Follows a table's name where SQLite's planner would choose a slower index than this one. */
  withIndex(index: string): string
  /**
   * By how much each change raises the configuration's version. A random number where a fail-over can lose a change: the next
   * one must not get the same version.
   */
  versionStep: string
  /** An aggregate: the merged histogram of a column's histograms, or a list of them (`addMergedCell` takes both). */
  histograms(column: string): string
}
