/** The real statements of stores on a database in memory, for tests of a thousand runs. */
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { ShadowSampleStore } from '../../src/service/storage/shadow-sample-store.ts'
import { openShadowSamples } from '../../src/service/storage/sql/shadow-samples.ts'
import type { Sql } from '../../src/service/storage/sql/sql.ts'
import { openTuningRuns } from '../../src/service/storage/sql/tuning-runs.ts'
import { migrate } from '../../src/service/storage/sqlite/migrations/index.ts'
import { toSql } from '../../src/service/storage/sqlite/sqlite-sql.ts'
import type { TuningRunStore } from '../../src/service/storage/tuning-run-store.ts'

export function tuningStoreInMemory(): TuningRunStore {
  return inMemory(openTuningRuns) as TuningRunStore
}

export function shadowStoreInMemory(): ShadowSampleStore {
  return inMemory(openShadowSamples) as ShadowSampleStore
}

/** Checked boundary: each function keeps its arguments and result. */
function inMemory(open: (sql: Sql) => object): unknown {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, () => ':memory:')
  const sql = toSql(db)
  // One call at a time, each in a transaction, as in the storage worker.
  let last: Promise<unknown> = Promise.resolve()
  const opened = open(sql) as Record<string, (...args: unknown[]) => Promise<unknown>>
  const functions = Object.entries(opened).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      const result = last.then(() => sql.transaction(() => run(...args)))
      last = result.catch(() => {})
      return result
    },
  ])
  return Object.fromEntries(functions)
}
