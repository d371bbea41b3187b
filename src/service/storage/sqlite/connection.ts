import type { Worker } from 'node:worker_threads'
import type { StorageHealth } from '../maintenance.ts'
import { StorageUnavailable, type ChangedBy, type ChangeListener, type Ledger } from '../storage.ts'
import { toRowValues } from '../sql/ledger-row.ts'
import {
  cannotWrite,
  openingId,
  toError,
  type AppendFailure,
  type Call,
  type ChangeNotice,
  type Reply,
  type SpaceNotice,
  type ToWorker,
} from './protocol.ts'
import { RowGroups } from '../sql/row-groups.ts'

/** Sends a call to the worker and resolves to its result. */
export type CallWorker = (call: Omit<Call, 'id'>) => Promise<unknown>

type Append = Ledger['append']

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/**
 * Pairs calls with replies. Once the worker has ended or was closed, every pending and every later call rejects
 * with `StorageUnavailable`. A worker without pending calls keeps no process alive: every write it has answered
 * is durable.
 * @param database  the file, named in errors
 */
export function connect(worker: Worker, database?: string) {
  const waiting = new Map<number, Waiting>()
  const exited = new Promise((resolve) => {
    worker.once('exit', resolve)
  })
  let lastId = openingId
  let end: StorageUnavailable | null = null
  const { tell, onChange } = changeListeners()

  const send = (message: ToWorker) => worker.postMessage(message)
  const reply = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
    })

  const fail = (error: StorageUnavailable) => {
    end ??= error
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    rows.fail(end)
  }
  worker.on('message', (message: Reply[] | SpaceNotice | ChangeNotice) => {
    if ('kind' in message) return noteNotice(message, { rows, tell, database })
    for (const one of message) settle(waiting, one, database)
    // While it closes, the process must not end after the last reply.
    if (waiting.size === 0 && end === null) worker.unref()
  })
  worker.on('error', (error) => fail(stopped({ cause: error })))
  worker.on('exit', () => fail(stopped()))

  const post = (call: Omit<Call, 'id'>) => {
    lastId += 1
    send({ kind: 'calls', calls: [{ ...call, id: lastId }] })
    return reply(lastId)
  }
  const rows = openRowGroups(post)
  const invoke: CallWorker = async (call) => {
    if (end !== null) throw end
    // Every call after an append includes the row.
    rows.flush()
    const replied = post(call)
    if (call.kind === 'write') {
      replied.catch((error: unknown) => rows.writeFailed(error))
      tell('this process')
    }
    return replied
  }
  const append: Append = (record, detail, isUrgent = false) =>
    end === null ? rows.add(toRowValues({ record, detail }), isUrgent) : Promise.reject(end)
  const close = async () => {
    end ??= new StorageUnavailable('The storage is closed')
    worker.ref()
    rows.close()
    send({ kind: 'close' })
    await exited
  }
  const costsByDay = readCosts(invoke, rows)
  return { invoke, append, costsByDay, close, opened: reply(openingId), health: rows, onChange }
}

function changeListeners() {
  const listeners = new Set<ChangeListener>()
  return {
    tell(by: ChangedBy) {
      for (const listener of listeners) listener(by)
    },
    onChange(listener: ChangeListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function noteNotice(
  notice: SpaceNotice | ChangeNotice,
  {
    rows,
    tell,
    database,
  }: { rows: RowGroups; tell: ChangeListener; database?: string | undefined },
): void {
  if (notice.kind === 'changed') tell('another process')
  else rows.setShortage(notice.isShort ? shortage(database) : null)
}

function stopped(options: ErrorOptions = {}): StorageUnavailable {
  return new StorageUnavailable('The storage stopped unexpectedly', options)
}

function shortage(database?: string): StorageUnavailable {
  return new StorageUnavailable('The disk is full', { code: 'SQLITE_FULL', path: database })
}

function openRowGroups(post: CallWorker): RowGroups {
  return new RowGroups({
    patienceMs: 5,
    async send(group) {
      const call = { store: 'ledger', method: 'appendAll', kind: 'write', args: [group] } as const
      // The worker's ledger answers with failures: its type says so.
      const failures = (await post(call)) as AppendFailure[]
      return failures.map(({ index, failure }) => ({ index, error: toError(failure) }))
    },
    probe: () => post({ store: 'maintenance', method: 'probe', kind: 'write', args: [] }),
    isOutage: cannotWrite,
  })
}

/** Costs by day; complete only when no row waits to be stored. */
function readCosts(invoke: CallWorker, health: StorageHealth): Ledger['costsByDay'] {
  return async (query) => {
    const call = { store: 'ledger', method: 'costsByDay', kind: 'write', args: [query] } as const
    // Checked boundary: the worker's function of this name.
    const costs = (await invoke(call)) as Awaited<ReturnType<Ledger['costsByDay']>>
    const outage = health.outage()
    if (outage === null || outage.canStoreRows) return costs
    throw new StorageUnavailable('Rows wait to be stored', { cause: outage.cause })
  }
}

function settle(waiting: Map<number, Waiting>, reply: Reply, database?: string): void {
  const caller = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (reply.ok) caller?.resolve(reply.value)
  else caller?.reject(toError(reply.failure, database))
}
