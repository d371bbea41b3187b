/**
 * Work on a database file that takes seconds: checks, copies, restores. Each task runs once in a thread of its own, so
 * that neither the main thread nor the writes of the storage worker wait for it.
 */
import { Worker } from 'node:worker_threads'
import type { AppliedRestore, StagedRestore, StorageCheck } from '../maintenance.ts'
import type { MoneyCheck } from '../money-check.ts'
import { connect } from './connection.ts'
import type { DatabaseOptions } from './database.ts'
import type { DatabaseTask, WorkerOptions } from './protocol.ts'
import type { CountedDatabase } from './restore.ts'

interface Results {
  copy: null
  check: StorageCheck
  'check-money': MoneyCheck
  count: (CountedDatabase | null)[]
  'stage-restore': StagedRestore
  'apply-restore': AppliedRestore
}

/** @throws StorageUnavailable, DatabaseFromNewerVersion */
export async function runDatabaseTask<Kind extends DatabaseTask['kind']>(
  options: DatabaseOptions,
  task: Extract<DatabaseTask, { kind: Kind }>,
): Promise<Results[Kind]> {
  const { opened } = connect(startWorker(options, task))
  // Checked boundary: the worker's only reply is the result of this kind of task.
  return (await opened) as Results[Kind]
}

/**
 * The worker's objects live for one group of writes. Without a limit, V8 lets 48 MiB of them accumulate in
 * steps that look like a leak.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** @param task  `serve` answers calls until it is closed */
export function startWorker(
  { dataDir, sqliteBinding, keepsSchema }: DatabaseOptions,
  task: WorkerOptions['task'],
): Worker {
  // Copied field by field, because a caller's object may contain functions, which cannot be sent to a thread.
  const workerData = { dataDir, sqliteBinding, keepsSchema, task } satisfies WorkerOptions
  const name = `storage ${task === 'serve' ? task : task.kind}`
  return new Worker(workerEntry(), { workerData, name, resourceLimits })
}

/** URL of the worker's file. In a checkout, the source runs directly; in a bundle, it is in this file's folder. */
function workerEntry(): URL {
  const entry = import.meta.url.endsWith('.ts') ? './storage-worker.ts' : './storage-worker.js'
  return new URL(entry, import.meta.url)
}
