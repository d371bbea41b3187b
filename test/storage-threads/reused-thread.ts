/**
 * Stands for the storage's thread in tests. The program starts one; the tests start thousands, and most of a start is
 * loading the same files again. So a thread whose database was closed serves the next one. One at a time, as in the
 * program: what a thread waits for, another never waits for.
 */
import { EventEmitter, once } from 'node:events'
import { MessageChannel, Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads'
import type { WorkerOptions } from '../../src/service/storage/sqlite/protocol.ts'
import type { NextDatabase } from './thread.ts'

/** Threads without a database. */
const idle: Worker[] = []
/** Few tests have more databases open at once. */
const mostIdle = 4

interface ThreadOptions {
  name: string
  workerData: WorkerOptions
  resourceLimits: ResourceLimits
}

/** The part of `Worker` that the storage uses; its `exit` is the end of the database, not of the thread. */
export class ReusedThread extends EventEmitter {
  readonly #thread: Worker
  readonly #port: MessagePort

  constructor(entry: URL, { workerData, ...options }: ThreadOptions) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#thread = idle.pop() ?? new Worker(entry, options)
    // A database that waits for nothing keeps no process alive, and its port does otherwise.
    this.#thread.unref()
    const next = { port: port2, options: workerData } satisfies NextDatabase
    this.#thread.postMessage(next, [port2])
    port1.on('message', (message) => this.emit('message', message))
    void this.#emitEnd(port1)
  }

  /** The port's last message comes before the thread says that it is free, or has ended. */
  async #emitEnd(port: MessagePort): Promise<void> {
    const thread = this.#thread
    const onError = (error: unknown) => this.emit('error', error)
    thread.on('error', onError)
    const free = new Promise<boolean>((resolve) => {
      const onExit = () => resolve(false)
      thread.once('exit', onExit)
      thread.once('message', () => {
        thread.off('exit', onExit)
        resolve(true)
      })
    })
    const [isFree] = await Promise.all([free, once(port, 'close')])
    thread.off('error', onError)
    if (isFree) release(thread)
    this.emit('exit')
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }

  ref(): void {
    this.#port.ref()
  }

  unref(): void {
    this.#port.unref()
  }
}

function release(thread: Worker): void {
  if (idle.length < mostIdle) idle.push(thread)
  else void thread.terminate()
}
