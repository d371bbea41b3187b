/** The real statements of stores on a database in memory, for tests of a thousand runs. */
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { ShadowSampleStore } from '../../src/service/storage/shadow-sample-store.ts'
import { migrate } from '../../src/service/storage/sqlite/migrations/index.ts'
import { openShadowSamples } from '../../src/service/storage/sqlite/shadow-samples.ts'
import { openTuningRuns } from '../../src/service/storage/sqlite/tuning-runs.ts'
import type { TuningRunStore } from '../../src/service/storage/tuning-run-store.ts'

export function tuningStoreInMemory(): TuningRunStore {
  return inMemory(openTuningRuns) as TuningRunStore
}

export function shadowStoreInMemory(): ShadowSampleStore {
  return inMemory(openShadowSamples) as ShadowSampleStore
}

/** Checked boundary: each function keeps its arguments and result. */
function inMemory(open: (db: Sqlite.Database) => object): unknown {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, () => ':memory:')
  const functions = Object.entries(open(db)).map(([name, run]) => {
    const inTransaction = db.transaction(run as (...args: unknown[]) => unknown)
    return [name, (...args: unknown[]) => Promise.resolve().then(() => inTransaction(...args))]
  })
  return Object.fromEntries(functions)
}
