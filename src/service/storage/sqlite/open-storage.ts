/** The SQLite storage on the main thread: it sends calls to the worker and awaits replies. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StorageCheck } from '../maintenance.ts'
import type { Storage } from '../storage.ts'
import { BudgetAccounts } from './budget-accounts.ts'
import { connect, type Ask } from './connection.ts'
import type { DatabaseOptions } from './database.ts'
import { IdempotencyMemory } from './idempotency-memory.ts'
import { operationKinds, type StoreName, type Stores, type WorkerOptions } from './protocol.ts'

interface StorageOptions extends DatabaseOptions {
  /** Monotonic milliseconds; the default is `performance.now`. */
  clock?: (() => number) | undefined
}

/**
 * The worker's objects live for one group of writes. Without a limit, V8 lets 48 MiB of them accumulate in
 * steps that look like a leak.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/**
 * Opens the database of a data folder and creates both if missing. After the worker has ended unexpectedly,
 * every call rejects; it is not restarted.
 * @throws DatabaseFromNewerVersion
 * @throws StorageUnavailable when the database cannot be opened
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const worker = startWorker(options, 'serve')
  const { ask, append, costsByDay, close, opened, health } = connect(
    worker,
    join(options.dataDir, 'modelport.db'),
  )
  await opened
  const idempotency = new IdempotencyMemory(options.clock ?? (() => performance.now()))
  return {
    configuration: store('configuration', ask),
    quota: store('quota', ask),
    budgets: new BudgetAccounts({ costsByDay }),
    budgetAlerts: store('budgetAlerts', ask),
    idempotency,
    ledger: { ...store('ledger', ask), append, costsByDay },
    contents: store('contents', ask),
    executions: store('executions', ask),
    conversations: store('conversations', ask),
    statistics: store('statistics', ask),
    feedback: store('feedback', ask),
    judgedPrompts: store('judgedPrompts', ask),
    tuningRuns: store('tuningRuns', ask),
    shadowSamples: store('shadowSamples', ask),
    maintenance: { ...store('maintenance', ask), check: () => check(options) },
    health,
    close() {
      idempotency.close()
      return close()
    },
  }
}

/**
 * It has its own thread and connection, because it reads the whole database and writes must not wait for it.
 */
async function check(options: DatabaseOptions): Promise<StorageCheck> {
  // The worker's only reply is the check's result.
  return (await connect(startWorker(options, 'check')).opened) as StorageCheck
}

function startWorker({ dataDir, sqliteBinding }: DatabaseOptions, task: WorkerOptions['task']) {
  // Copied field by field, because a caller's object may contain functions, which cannot be sent to a thread.
  const workerData = { dataDir, sqliteBinding, task } satisfies WorkerOptions
  return new Worker(workerEntry(), { workerData, name: `storage ${task}`, resourceLimits })
}

/**
 * In a checkout, the source runs directly; in a bundle, the worker's file is in the same folder as this one.
 */
function workerEntry(): URL {
  const entry = import.meta.url.endsWith('.ts') ? './storage-worker.ts' : './storage-worker.js'
  return new URL(entry, import.meta.url)
}

function store<Name extends StoreName>(name: Name, ask: Ask): Stores[Name] {
  const functions = Object.entries(operationKinds[name]).map(([method, kind]) => [
    method,
    (...args: unknown[]) => ask({ store: name, method, kind, args }),
  ])
  // Checked boundary: `operationKinds` names every function of the store, or it would not compile.
  return Object.fromEntries(functions) as Stores[Name]
}
