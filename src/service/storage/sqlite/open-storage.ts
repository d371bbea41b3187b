/** The SQLite storage on the main thread: it sends calls to the worker and awaits replies. */
import { join } from 'node:path'
import { IdempotencyMemory } from '../idempotency-memory.ts'
import { operationKinds, type StoreName } from '../sql/operation-kinds.ts'
import type { Storage } from '../storage.ts'
import { BudgetAccounts } from './budget-accounts.ts'
import { connect, type CallWorker } from './connection.ts'
import { runDatabaseTask, startWorker } from './database-tasks.ts'
import type { DatabaseOptions } from './database.ts'
import { watchJournal } from './journal-watch.ts'
import type { Stores, ToWorker } from './protocol.ts'

interface StorageOptions extends DatabaseOptions {
  /** Monotonic milliseconds; the default is `performance.now`. */
  clock?: (() => number) | undefined
}

/**
 * Opens the database of a data folder and creates both if missing. After the worker has ended unexpectedly,
 * every call rejects; it is not restarted.
 * @throws DatabaseFromNewerVersion
 * @throws StorageUnavailable when the database cannot be opened
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const worker = startWorker(options, 'serve')
  const database = join(options.dataDir, 'modelport.db')
  const { invoke, append, costsByDay, close, opened, health, onChange } = connect(worker, database)
  await opened
  const stopWatching = watchJournal(database, () =>
    worker.postMessage({ kind: 'look' } satisfies ToWorker),
  )
  const budgets = new BudgetAccounts({ costsByDay })
  onChange((by) => {
    // What cannot be read now is read after the next change, or with the next start.
    if (by === 'another process') void budgets.catchUp().catch(() => {})
  })
  const idempotency = new IdempotencyMemory(options.clock ?? (() => performance.now()))
  return {
    configuration: store('configuration', invoke),
    quota: store('quota', invoke),
    isShared: false,
    budgets,
    budgetAlerts: store('budgetAlerts', invoke),
    idempotency,
    ledger: { ...store('ledger', invoke), append, costsByDay },
    contents: store('contents', invoke),
    executions: store('executions', invoke),
    conversations: store('conversations', invoke),
    modelStatistics: store('modelStatistics', invoke),
    routerStatistics: store('routerStatistics', invoke),
    feedback: store('feedback', invoke),
    findings: store('findings', invoke),
    judgedPrompts: store('judgedPrompts', invoke),
    mcp: store('mcp', invoke),
    tuningRuns: store('tuningRuns', invoke),
    shadowSamples: store('shadowSamples', invoke),
    sessionProofs: store('sessionProofs', invoke),
    refusals: store('refusals', invoke),
    unexpectedCalls: store('unexpectedCalls', invoke),
    maintenance: {
      ...store('maintenance', invoke),
      check: (depth) => runDatabaseTask(options, { kind: 'check', depth }),
      checkMoney: (query) => runDatabaseTask(options, { kind: 'check-money', query }),
    },
    health,
    figures: () => ({ engine: 'sqlite', node: null }),
    onChange,
    onConfigurationHint: () => () => undefined,
    close() {
      stopWatching()
      idempotency.close()
      return close()
    },
  }
}

function store<Name extends StoreName>(name: Name, invoke: CallWorker): Stores[Name] {
  const functions = Object.entries(operationKinds[name]).map(([method, kind]) => [
    method,
    (...args: unknown[]) => invoke({ store: name, method, kind, args }),
  ])
  // Checked boundary: `operationKinds` names every function of the store, or it would not compile.
  return Object.fromEntries(functions) as Stores[Name]
}
