/** The real statements of tuning runs on a database in memory, for tests of a thousand runs. */
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { migrate } from '../../src/service/storage/sqlite/migrations/index.ts'
import { openTuningRuns } from '../../src/service/storage/sqlite/tuning-runs.ts'
import type { TuningRunStore } from '../../src/service/storage/tuning-run-store.ts'

export function tuningStoreInMemory(): TuningRunStore {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, () => ':memory:')
  const functions = Object.entries(openTuningRuns(db)).map(([name, run]) => {
    // Checked boundary: each function keeps its arguments and result.
    const inTransaction = db.transaction(run as (...args: unknown[]) => unknown)
    return [name, (...args: unknown[]) => Promise.resolve().then(() => inTransaction(...args))]
  })
  return Object.fromEntries(functions) as TuningRunStore
}
