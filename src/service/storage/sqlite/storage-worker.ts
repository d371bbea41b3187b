/**
 * The thread that owns the database connection. It waits for the disk and for locks of other processes, so that
 * the main thread never has to. All writes that have arrived go into one transaction, then one read runs, and
 * so on: writes wait for at most one long read, never for a queue of reads.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import { openBallast, type Ballast } from './ballast.ts'
import { openBudgetAlerts } from './budget-alerts.ts'
import { openConfiguration } from './configuration.ts'
import { openContents } from './contents.ts'
import { openConversations } from './conversations.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'
import { openFeedback } from './feedback.ts'
import { openExecutions } from './executions.ts'
import { openJudgedPrompts } from './judged-prompts.ts'
import { openLedger } from './ledger.ts'
import { openMaintenance } from './maintenance.ts'
import type { RowValues } from './ledger-row.ts'
import {
  isFullDisk,
  openingId,
  toFailure,
  toOpeningFailure,
  type AppendFailure,
  type Call,
  type Failure,
  type Outcome,
  type Reply,
  type SpaceNotice,
  type StoreName,
  type Stores,
  type Synchronous,
  type ToWorker,
  type WorkerOptions,
} from './protocol.ts'
import { openQuota } from './quota.ts'
import { openRollups } from './rollups.ts'
import { openStatistics } from './statistics.ts'
import { openShadowSamples } from './shadow-samples.ts'
import { runTask } from './run-task.ts'
import { openTuningRuns } from './tuning-runs.ts'
import { openWriteGroup } from './write-group.ts'

type SynchronousStores = { [Name in StoreName]: Synchronous<Stores[Name]> }

if (parentPort === null) throw new Error('This file runs as a worker thread')
// Checked boundary: only database-tasks.ts starts this file, with these options.
start(parentPort, workerData as WorkerOptions)

function start(port: MessagePort, { task, ...options }: WorkerOptions): void {
  try {
    if (task !== 'serve') {
      post(port, [{ id: openingId, ok: true, value: runTask(options, task) }])
      port.close()
      return
    }
    const ballast = openBallast(options.dataDir, (isReleased) =>
      port.postMessage({ kind: 'space', isShort: isReleased } satisfies SpaceNotice),
    )
    try {
      serve(port, openWithSpace(options, ballast), ballast)
    } catch (error) {
      // Its timer would keep the thread running.
      ballast.close()
      throw error
    }
    post(port, [{ id: openingId, ok: true, value: null }])
  } catch (error) {
    post(port, [{ id: openingId, ok: false, failure: toOpeningFailure(error) }])
    port.close()
  }
}

/** On a full disk, SQLite cannot even open a database to read it. */
function openWithSpace(options: DatabaseOptions, ballast: Ballast): Database {
  try {
    return openDatabase(options)
  } catch (error) {
    if (isFullDisk(toOpeningFailure(error)) && ballast.release()) return openDatabase(options)
    throw error
  }
}

function post(port: MessagePort, replies: Reply[]): void {
  port.postMessage(replies)
}

function serve(port: MessagePort, db: Database, ballast: Ballast): void {
  const run = openRunners(db, ballast)
  let writes: Call[] = []
  const reads: Call[] = []
  let isScheduled = false
  let isClosing = false

  const runNext = () => {
    isScheduled = false
    const group = writes
    writes = []
    if (group.length > 0) post(port, run.writes(group))
    const read = reads.shift()
    if (read !== undefined) post(port, [run.read(read)])
    if (writes.length + reads.length > 0) schedule()
    else if (isClosing) {
      ballast.close()
      close(port, db)
    }
  }
  const schedule = () => {
    if (!isScheduled) setImmediate(runNext)
    isScheduled = true
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') isClosing = true
    else for (const call of message.calls) (call.kind === 'write' ? writes : reads).push(call)
    schedule()
  })
}

function openRunners(db: Database, ballast: Ballast) {
  const rollups = openRollups(db)
  const stores: SynchronousStores = {
    configuration: openConfiguration(db),
    quota: openQuota(db),
    budgetAlerts: openBudgetAlerts(db),
    ledger: openLedger(db, rollups),
    contents: openContents(db),
    executions: openExecutions(db),
    conversations: openConversations(db),
    statistics: openStatistics(db),
    feedback: openFeedback(db),
    judgedPrompts: openJudgedPrompts(db),
    tuningRuns: openTuningRuns(db),
    shadowSamples: openShadowSamples(db),
    maintenance: { ...openMaintenance(db, rollups), reserveSpace: () => ballast.make() },
  }
  const runGroup = openWriteGroup(db, rollups)
  /**
   * Rows that could not be stored together are stored individually, so that one bad row does not affect the others.
   */
  const appendedSingly = (call: Call, outcome: Outcome): Outcome => {
    if (outcome.ok || call.method !== 'appendAll' || isOutage(outcome.failure)) return outcome
    // Checked boundary: only connection.ts makes calls of this method.
    const [rows] = call.args as Parameters<SynchronousStores['ledger']['appendAll']>
    return appendSingly(rows, (row) => runGroup([() => stores.ledger.appendAll([row])])[0])
  }
  // One transaction per read, so that lists read by several statements are consistent.
  const inSnapshot = db.transaction((read: () => unknown) => read())

  return {
    writes(calls: readonly Call[]): Reply[] {
      const writes = calls.map((call) => toFunction(stores, call))
      let outcomes = runGroup(writes)
      if (outcomes.some(isFull) && ballast.release())
        // Only what failed: the others may have been stored on their own.
        outcomes = outcomes.flatMap((outcome, index) =>
          isFull(outcome) ? runGroup(writes.slice(index, index + 1)) : outcome,
        )
      return calls.map((call, index) => ({
        ...appendedSingly(call, outcomes[index] ?? noOutcome),
        id: call.id,
      }))
    },
    read(call: Call): Reply {
      const work = toFunction(stores, call)
      const attempt = (): Reply => {
        try {
          return { id: call.id, ok: true, value: call.kind === 'alone' ? work() : inSnapshot(work) }
        } catch (error) {
          return { id: call.id, ok: false, failure: toFailure(error) }
        }
      }
      const reply = attempt()
      // Deleting rows needs space, too. A backup fills other disks.
      return call.method === 'prune' && isFull(reply) && ballast.release() ? attempt() : reply
    },
  }
}

const noOutcome: Outcome = { ok: false, failure: { name: 'Error', message: 'No outcome' } }

function appendSingly(
  rows: readonly RowValues[],
  append: (row: RowValues) => Outcome | undefined,
): Outcome {
  const failures: AppendFailure[] = []
  for (const [index, row] of rows.entries()) {
    const outcome = append(row) ?? noOutcome
    if (outcome.ok) {
      for (const { failure } of outcome.value as AppendFailure[]) failures.push({ index, failure })
    } else if (isOutage(outcome.failure)) {
      // The whole group is sent again; rows that were stored meanwhile are recognised by their ids.
      return outcome
    } else failures.push({ index, failure: outcome.failure })
  }
  return { ok: true, value: failures }
}

function isFull(outcome: Outcome): boolean {
  return !outcome.ok && isFullDisk(outcome.failure)
}

function isOutage({ name }: Failure): boolean {
  return name === 'StorageUnavailable'
}

function toFunction(stores: SynchronousStores, { store, method, args }: Call): () => unknown {
  // Checked boundary: calls are made by open-storage.ts from typed functions of the same names.
  const functions = stores[store] as Record<string, (...args: unknown[]) => unknown>
  return () => functions[method]?.(...args)
}

function close(port: MessagePort, db: Database): void {
  db.close()
  port.close()
}
