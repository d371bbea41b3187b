/**
 * A look into a running service from outside, by Node's own debugging protocol: what only the process
 * itself knows (its heap, how long its event loop was held up) without an option of the product for it.
 */
import { once } from 'node:events'
import { WebSocket } from 'undici'

export interface Memory {
  /** After a full collection of garbage, of the main thread, in bytes. */
  heapBytes: number
  /** Of the whole process, in bytes. */
  residentBytes: number
}

export interface LoopDelay {
  p99Ms: number
  longestMs: number
}

export interface Inspector {
  memory(): Promise<Memory>
  /** Forgets the delays so far. */
  watchLoop(): Promise<void>
  /** Since `watchLoop`. */
  loopDelay(): Promise<LoopDelay>
  close(): void
}

/** @param url  as the process printed it when it was started with `--inspect` */
export async function inspect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const send = openProtocol(socket)
  const evaluate = async (expression: string) => {
    const { result } = await send('Runtime.evaluate', { expression, returnByValue: true })
    return readObject(result)['value']
  }
  await evaluate(startLoopWatch)
  return {
    async memory() {
      // Twice: what finalisers let go in the first goes in the second.
      await send('HeapProfiler.collectGarbage', {})
      await send('HeapProfiler.collectGarbage', {})
      const { heapUsed, rss } = readObject(await evaluate('process.memoryUsage()'))
      return { heapBytes: Number(heapUsed), residentBytes: Number(rss) }
    },
    async watchLoop() {
      await evaluate('benchLoop.reset()')
    },
    async loopDelay() {
      const [p99, longest] = await Promise.all([
        evaluate('benchLoop.percentile(99)'),
        evaluate('benchLoop.max'),
      ])
      return { p99Ms: Number(p99) / 1e6, longestMs: Number(longest) / 1e6 }
    },
    close: () => socket.close(),
  }
}

/** The histogram's values hold the millisecond between two looks, too. */
const startLoopWatch = `
  globalThis.benchLoop = process
    .getBuiltinModule('node:perf_hooks')
    .monitorEventLoopDelay({ resolution: 1 })
  benchLoop.enable()`

type Send = (method: string, params: object) => Promise<Record<string, unknown>>

function openProtocol(socket: WebSocket): Send {
  const waiting = new Map<number, (reply: Record<string, unknown>) => void>()
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const reply = readObject(JSON.parse(String(data)))
    waiting.get(Number(reply['id']))?.(readObject(reply['result']))
    waiting.delete(Number(reply['id']))
  })
  return (method, params) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, method, params }))
    })
}

function readObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('the debugger told nothing')
  return { ...value }
}
