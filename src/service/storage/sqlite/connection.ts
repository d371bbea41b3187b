import type { Worker } from 'node:worker_threads'
import { StorageUnavailable, type Ledger } from '../storage.ts'
import { toRowValues, type RowValues } from './ledger-row.ts'
import {
  openingId,
  toError,
  type AppendFailure,
  type Call,
  type Reply,
  type ToWorker,
} from './protocol.ts'

/**
 * How long a ledger row waits for others, ms. Each commit waits for the disk: one per request would
 * take more of the processor than the request itself. A crash loses the rows of this long at the most.
 */
const patienceMs = 5

/** Sends a call to the worker and gives its result. */
export type Ask = (call: Omit<Call, 'id'>) => Promise<unknown>

type Append = Ledger['append']

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/**
 * Pairs calls with replies. Once the worker ended or was closed, every call rejects with
 * `StorageUnavailable`, those that wait and those to come. A worker nobody waits for keeps no process
 * alive: what it has answered is durable.
 */
export function connect(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  const exited = new Promise((resolve) => {
    worker.once('exit', resolve)
  })
  let lastId = openingId
  let end: StorageUnavailable | null = null

  const send = (message: ToWorker) => worker.postMessage(message)
  const reply = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
    })
  const opened = reply(openingId)

  const fail = (error: StorageUnavailable) => {
    end ??= error
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    rows.fail(end)
  }
  worker.on('message', (replies: Reply[]) => {
    for (const one of replies) settle(waiting, one)
    // A last reply that comes while it closes must not let the process end in the middle of that.
    if (waiting.size === 0 && end === null) worker.unref()
  })
  worker.on('error', (error) =>
    fail(new StorageUnavailable('The storage stopped unexpectedly', { cause: error })),
  )
  worker.on('exit', () => fail(new StorageUnavailable('The storage stopped unexpectedly')))

  const post = (call: Omit<Call, 'id'>) => {
    lastId += 1
    send({ kind: 'calls', calls: [{ ...call, id: lastId }] })
    return reply(lastId)
  }
  const rows = openRowGroups((group) =>
    post({ store: 'ledger', method: 'appendAll', kind: 'write', args: [group] }),
  )
  const ask: Ask = async (call) => {
    if (end !== null) throw end
    // What was appended before is there for whatever comes after it.
    rows.flush()
    return post(call)
  }
  const append: Append = (record, detail) =>
    end === null ? rows.add(toRowValues({ record, detail })) : Promise.reject(end)
  const close = async () => {
    end ??= new StorageUnavailable('The storage is closed')
    worker.ref()
    rows.flush()
    send({ kind: 'close' })
    await exited
  }
  return { ask, append, close, opened }
}

interface RowGroup {
  /** Values, not what they are of: large objects held until they are sent would live long enough to cost. */
  rows: RowValues[]
  /** Resolves once the group is stored. */
  stored: Promise<AppendFailure[]>
  sent: (stored: Promise<AppendFailure[]>) => void
  fail: (error: StorageUnavailable) => void
}

/** Keeps ledger rows back a moment, so that many cross to the worker and are committed together. */
function openRowGroups(send: (rows: readonly RowValues[]) => Promise<unknown>) {
  let group: RowGroup | null = null
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    // The worker's ledger answers with failures, which is what its type says.
    group?.sent(send(group.rows) as Promise<AppendFailure[]>)
    group = null
  }
  const begin = (): RowGroup => {
    timer = setTimeout(flush, patienceMs)
    const opened: Omit<RowGroup, 'stored'> = { rows: [], sent: () => {}, fail: () => {} }
    const stored = new Promise<AppendFailure[]>((resolve, reject) => {
      opened.sent = resolve
      opened.fail = reject
    })
    return Object.assign(opened, { stored })
  }
  return {
    flush,
    add(row: RowValues): Promise<void> {
      group ??= begin()
      const index = group.rows.push(row) - 1
      return group.stored.then((failures) => refuseFailed(failures, index))
    },
    fail(error: StorageUnavailable) {
      clearTimeout(timer)
      group?.fail(error)
      group = null
    },
  }
}

function refuseFailed(failures: readonly AppendFailure[], index: number): void {
  const own = failures.find((failure) => failure.index === index)
  if (own) throw toError(own.failure)
}

function settle(waiting: Map<number, Waiting>, reply: Reply): void {
  const caller = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (reply.ok) caller?.resolve(reply.value)
  else caller?.reject(toError(reply.failure))
}
