/**
 * What the thread does that owns the database connection. It waits for the disk and for locks of other processes, so that
 * the main thread never has to. All writes that have arrived go into one transaction, then one read runs, and
 * so on: writes wait for at most one long read, never for a queue of reads.
 */
import { openCommonStores } from '../sql/common-stores.ts'
import { openQuota } from '../sql/quota.ts'
import type { MessagePort } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'
import type { RowValues } from '../sql/ledger-row.ts'
import { openBallast, type Ballast } from './ballast.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { openMaintenance } from './maintenance.ts'
import {
  isFullDisk,
  openingId,
  toFailure,
  toOpeningFailure,
  type AppendFailure,
  type Call,
  type ChangeNotice,
  type Failure,
  type Outcome,
  type Reply,
  type SpaceNotice,
  type StoredLedger,
  type Stores,
  type ToWorker,
  type WorkerOptions,
} from './protocol.ts'
import { runTask } from './run-task.ts'
import { inTransaction, toSql } from './sqlite-sql.ts'
import { openWriteGroup } from './write-group.ts'

/** Answers the calls that arrive at `port`, or runs the task, and closes the port at the end. */
export async function serveStorage(
  port: MessagePort,
  { task, ...options }: WorkerOptions,
): Promise<void> {
  try {
    if (task !== 'serve') {
      post(port, [{ id: openingId, ok: true, value: await runTask(options, task) }])
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

/** Opens the database, and frees the ballast first if the disk is full: SQLite then cannot even open it to read. */
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
  const lookForOthers = openLook(db, () =>
    port.postMessage({ kind: 'changed' } satisfies ChangeNotice),
  )

  // One at a time: the next one is scheduled when this one has ended.
  const runNext = async () => {
    const group = writes
    writes = []
    if (group.length > 0) post(port, await run.writes(group))
    const read = reads.shift()
    if (read !== undefined) post(port, [await run.read(read)])
    isScheduled = false
    if (writes.length + reads.length > 0) schedule()
    else if (isClosing) {
      ballast.close()
      close(port, db)
    }
  }
  const schedule = () => {
    if (!isScheduled) setImmediate(() => void runNext())
    isScheduled = true
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'look') return lookForOthers()
    if (message.kind === 'close') isClosing = true
    else for (const call of message.calls) (call.kind === 'write' ? writes : reads).push(call)
    schedule()
  })
}

/** @param onChange  called when another connection has changed the database, and while that cannot be read */
function openLook(db: Database, onChange: () => void): () => void {
  const read = db.prepare<[], number>('PRAGMA data_version').pluck()
  let seen = read.get()
  return () => {
    try {
      const version = read.get()
      if (version === seen) return
      seen = version
    } catch {
      // The main thread reads, and reports the error.
    }
    onChange()
  }
}

function openRunners(db: Database, ballast: Ballast) {
  const stores = openStores(db, ballast)
  const runGroup = openWriteGroup(db)
  /**
   * Rows that could not be stored together are stored individually, so that one bad row does not affect the others.
   */
  const appendedSingly = async (call: Call, outcome: Outcome): Promise<Outcome> => {
    if (outcome.ok || call.method !== 'appendAll' || isOutage(outcome.failure)) return outcome
    // Checked boundary: only connection.ts makes calls of this method.
    const [rows] = call.args as Parameters<Stores['ledger']['appendAll']>
    return appendSingly(
      rows,
      async (row) => (await runGroup([() => stores.ledger.appendAll([row])]))[0],
    )
  }
  return {
    async writes(calls: readonly Call[]): Promise<Reply[]> {
      const writes = calls.map((call) => toFunction(stores, call))
      const outcomes = await runGroup(writes)
      if (outcomes.some(isFull) && ballast.release())
        // Only what failed: the others may have been stored on their own.
        for (const [index, outcome] of outcomes.entries())
          if (isFull(outcome))
            outcomes.splice(index, 1, ...(await runGroup(writes.slice(index, index + 1))))
      const replies: Reply[] = []
      for (const [index, call] of calls.entries()) {
        const outcome = await appendedSingly(call, outcomes[index] ?? noOutcome)
        replies.push({ ...outcome, id: call.id })
      }
      return replies
    },
    async read(call: Call): Promise<Reply> {
      const work = toFunction(stores, call)
      const attempt = async (): Promise<Reply> => {
        try {
          // One transaction per read, so that lists read by several statements are consistent.
          const value = call.kind === 'alone' ? work() : inTransaction(db, work, 'BEGIN')
          return { id: call.id, ok: true, value: await value }
        } catch (error) {
          return { id: call.id, ok: false, failure: toFailure(error) }
        }
      }
      const reply = await attempt()
      // Deleting rows needs space, too. A backup fills other disks.
      return call.method === 'prune' && isFull(reply) && ballast.release() ? attempt() : reply
    },
  }
}

function openStores(db: Database, ballast: Ballast): Stores {
  const sql = toSql(db)
  return {
    ...openCommonStores(sql),
    quota: openQuota(sql),
    ledger: openWorkerLedger(db),
    maintenance: { ...openMaintenance(db), reserveSpace: async () => ballast.make() },
  }
}

/** The rows that could not be stored, in a form that can be sent to another thread. */
function openWorkerLedger(db: Database): StoredLedger {
  const { appendAll, ...ledger } = openSqliteLedger(db)
  return {
    ...ledger,
    async appendAll(rows) {
      const refused = await appendAll(rows)
      return refused.map(({ index, error }) => ({ index, failure: toFailure(error) }))
    },
  }
}

const noOutcome: Outcome = { ok: false, failure: { name: 'Error', message: 'No outcome' } }

async function appendSingly(
  rows: readonly RowValues[],
  append: (row: RowValues) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const failures: AppendFailure[] = []
  for (const [index, row] of rows.entries()) {
    const outcome = (await append(row)) ?? noOutcome
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

function toFunction(stores: Stores, { store, method, args }: Call): () => unknown {
  // Checked boundary: calls are made by open-storage.ts from typed functions of the same names.
  const called: object = stores[store]
  const functions = called as Record<string, (...args: unknown[]) => unknown>
  return () => functions[method]?.(...args)
}

function close(port: MessagePort, db: Database): void {
  db.close()
  port.close()
}
