/**
 * Reads a running service from outside over Node's debugging protocol: figures that only the process knows, such as
 * its heap and the delay of its event loop, without an option in the product.
 */
import { once } from 'node:events'
import { WebSocket } from 'undici'

export interface Memory {
  /** Heap of the main thread after a full garbage collection, in bytes. */
  heapBytes: number
  /** Memory of the whole process, in bytes. */
  residentBytes: number
}

export interface LoopDelay {
  p99Ms: number
  longestMs: number
}

export interface Inspector {
  memory(): Promise<Memory>
  /** Resets the recorded delays. */
  watchLoop(): Promise<void>
  /** Delay of the event loop since `watchLoop`. */
  loopDelay(): Promise<LoopDelay>
  close(): void
}

/** @param url  printed by a process that was started with `--inspect` */
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
      // Twice, because the second collection frees what finalisers released in the first.
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

/** The histogram's values include the interval of one millisecond between two samples. */
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
