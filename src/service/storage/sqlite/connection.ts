import type { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { toError, type Call, type FromWorker, type Reply, type ToWorker } from './protocol.ts'

/** Sends a call to the worker and gives its result. */
export type Ask = (call: Omit<Call, 'id'>) => Promise<unknown>

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/**
 * Pairs calls with replies. Once the worker ended or was closed, every call rejects with
 * `StorageUnavailable`, those that wait and those to come.
 */
export function connect(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  const { promise: opened, ...opening } = withResolvers()
  const { promise: ended, resolve: markEnded } = withResolvers()
  let lastId = 0
  let end: StorageUnavailable | null = null

  const send = (message: ToWorker) => worker.postMessage(message)
  const fail = (error: StorageUnavailable) => {
    end ??= error
    opening.reject(end)
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
  }
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'opened') opening.resolve(undefined)
    else if (message.kind === 'refused') opening.reject(toError(message.failure))
    else for (const reply of message.replies) settle(waiting, reply)
  })
  worker.on('error', (error) =>
    fail(new StorageUnavailable('The storage stopped unexpectedly', { cause: error })),
  )
  worker.on('exit', () => {
    fail(new StorageUnavailable('The storage stopped unexpectedly'))
    markEnded(undefined)
  })

  const ask: Ask = async (call) => {
    if (end !== null) throw end
    const id = ++lastId
    send({ kind: 'call', call: { ...call, id } })
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }
  const close = async () => {
    end ??= new StorageUnavailable('The storage is closed')
    send({ kind: 'close' })
    await ended
  }
  return { ask, close, opened }
}

function settle(waiting: Map<number, Waiting>, reply: Reply): void {
  const caller = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (reply.ok) caller?.resolve(reply.value)
  else caller?.reject(toError(reply.failure))
}

/** `Promise.withResolvers` is not yet in Node 20, which the fallback Electron runs. */
function withResolvers() {
  let resolve: Waiting['resolve'] = () => {}
  let reject: Waiting['reject'] = () => {}
  const promise = new Promise<unknown>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
