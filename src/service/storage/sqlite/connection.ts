import type { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { openingId, toError, type Call, type Reply, type ToWorker } from './protocol.ts'

/**
 * How long a patient write waits for others, ms. Each commit waits for the disk: one per request would
 * take more of the processor than the request itself. A crash loses the rows of this long at the most.
 */
const patienceMs = 5

/** Sends a call to the worker and gives its result. */
export type Ask = (call: Omit<Call, 'id'>) => Promise<unknown>

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
  const outbox = openOutbox((calls) => send({ kind: 'calls', calls }))
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
    outbox.clear()
  }
  worker.on('message', (replies: Reply[]) => {
    for (const one of replies) settle(waiting, one)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error) =>
    fail(new StorageUnavailable('The storage stopped unexpectedly', { cause: error })),
  )
  worker.on('exit', () => fail(new StorageUnavailable('The storage stopped unexpectedly')))

  const ask: Ask = async (call) => {
    if (end !== null) throw end
    lastId += 1
    outbox.add({ ...call, id: lastId })
    return reply(lastId)
  }
  const close = async () => {
    end ??= new StorageUnavailable('The storage is closed')
    worker.ref()
    outbox.flush()
    send({ kind: 'close' })
    await exited
  }
  return { ask, close, opened }
}

/** Keeps patient writes back; whatever else comes is sent at once, behind those that came before it. */
function openOutbox(send: (calls: readonly Call[]) => void) {
  const held: Call[] = []
  let timer: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(timer)
    timer = undefined
    return held.splice(0)
  }
  const flush = () => {
    const calls = take()
    if (calls.length > 0) send(calls)
  }
  return {
    add(call: Call) {
      if (call.kind === 'patientWrite') {
        held.push(call)
        timer ??= setTimeout(flush, patienceMs)
        return
      }
      flush()
      send([call])
    },
    flush,
    clear: () => void take(),
  }
}

function settle(waiting: Map<number, Waiting>, reply: Reply): void {
  const caller = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (reply.ok) caller?.resolve(reply.value)
  else caller?.reject(toError(reply.failure))
}
