/**
 * Ten minutes at fifty requests per second, with an upstream that fails now and then: whether memory, handles or the
 * write-ahead log grow. `soak` measures the same service with as many requests as it can answer.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { share } from '../test/torture/share.ts'
import type { Measurement } from './measurement.ts'
import { open, requestBytes, type Target } from './load.ts'
import { countMoneyFindings } from './money-findings.ts'
import { row } from './row.ts'
import { inspect } from './servers/inspector.ts'
import { startServer, stop } from './servers/start.ts'
import { slopeOf } from './slope.ts'
import { askSteadily } from './steady-load.ts'
import { streamedBody } from './stream-load.ts'
import { startModelport } from './targets.ts'

const requestsPerSecond = 50
/** Requests per second that their callers give up, and that are refused. */
const leavingPerSecond = 5
const refusedPerSecond = 5
const minutes = 10 * (share ?? 1)
const samples = 10
const sampleMs = (minutes * 60_000) / samples

interface Sample {
  requests: number
  heapBytes: number
  handles: number
  walBytes: number
}

export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const service = await startModelport(dataDir, `http://127.0.0.1:${upstream.port}`, {
    nodeArgs: ['--inspect=127.0.0.1:0'],
  })
  const inspector = await inspect(service.debuggerUrl ?? '')
  const { target } = service
  let requests = 0
  let wrong = 0
  const takeSample = async (): Promise<Sample> => {
    const { heapBytes } = await inspector.memory()
    const handles = await countHandles(target.pid)
    const walBytes = await sizeOf(join(dataDir, 'modelport.db-wal'))
    return { requests, heapBytes, handles, walBytes }
  }
  const ask = async (durationMs: number) => {
    const outcome = await askWithFaults(target, durationMs)
    requests += outcome.asked
    wrong += outcome.wrong
  }
  await ask(Math.min(60_000, sampleMs))
  const taken = [await takeSample()]
  while (taken.length <= samples) {
    await ask(sampleMs)
    taken.push(await takeSample())
  }
  inspector.close()
  await stop(service.child)
  await stop(upstream.child)
  const findings = await countMoneyFindings(dataDir)
  await rm(dataDir, { recursive: true })
  const silent = row('findings of the money check', [findings, ''], { target: { atMost: 0 } })
  return [...measure(taken, wrong), silent]
}

function measure(taken: readonly Sample[], wrong: number): Measurement[] {
  const [first, last] = [taken[0], taken.at(-1)]
  const asked = (last?.requests ?? 0) - (first?.requests ?? 0)
  const points = taken.map(({ requests, heapBytes }) => [requests, heapBytes] as const)
  const growth = (slopeOf(points) * 10_000) / 2 ** 20
  const handles = Math.abs((last?.handles ?? NaN) - (first?.handles ?? NaN))
  const wal = Math.max(...taken.map(({ walBytes }) => walBytes)) / 2 ** 20
  return [
    row('requests', [asked, ''], { target: { atLeast: requestsPerSecond * minutes * 60 * 0.95 } }),
    row('of these neither answered nor left', [wrong, ''], { target: { atMost: 0 } }),
    row('growth of the heap', [growth, 'MiB per 10,000'], { target: { atMost: 1 } }),
    row('handles more or fewer', [handles, ''], { target: { atMost: 5 } }),
    row('largest write-ahead log', [wal, 'MiB'], { target: { atMost: 16 } }),
  ]
}

/** Mixes whole answers, callers that leave within their stream, and requests that are refused. */
async function askWithFaults(target: Target, durationMs: number) {
  const seconds = durationMs / 1_000
  const [leaving, refused] = [leavingPerSecond, refusedPerSecond].map((rate) =>
    Math.round(rate * seconds),
  )
  const steadily = requestsPerSecond - leavingPerSecond - refusedPerSecond
  const everyMs = (count = 1) => durationMs / Math.max(1, count)
  const refuse = { ...target, headers: { authorization: 'Bearer mp_none' } }
  const [answers] = await Promise.all([
    askSteadily(target, steadily, durationMs),
    repeat(leaving, everyMs(leaving), () => leaveAfter(target, 20)),
    repeat(refused, everyMs(refused), () => leaveAfter(refuse, 200)),
  ])
  // Connections that the last callers left are closed within a second.
  await pause(1_000)
  return {
    asked: answers.length + (leaving ?? 0) + (refused ?? 0),
    wrong: answers.filter(({ isRight }) => !isRight).length,
  }
}

async function repeat(count = 0, everyMs: number, act: () => Promise<void>): Promise<void> {
  const acts: Promise<void>[] = []
  for (let nth = 0; nth < count; nth += 1) {
    acts.push(act())
    await pause(everyMs)
  }
  await Promise.all(acts)
}

/** Sends a request for a stream and disconnects after this time. */
async function leaveAfter(target: Target, ms: number): Promise<void> {
  const socket = await open(target)
  socket.on('error', () => {}).resume()
  socket.write(requestBytes(target, streamedBody({ pieces: 20, everyMs: 20, tag: null })))
  await pause(ms)
  socket.destroy()
}

/** Open descriptors: sockets, files and timers' pipes. */
async function countHandles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size
}
