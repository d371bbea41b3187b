/** Thousands of streams at the same time: whether all of them arrive whole, their memory, and the time they add. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { share } from '../test/torture/share.ts'
import type { Measurement } from './measurement.ts'
import { median, quantile } from './quantile.ts'
import { row } from './row.ts'
import { startServer, stop } from './servers/start.ts'
import { streamWith, type StreamLoad } from './stream-load.ts'
import { startModelport } from './targets.ts'

/** One connection in and one out for each; a process may have 20,000 descriptors where this was first measured. */
const streams = Math.max(200, Math.round(9_000 * (share ?? 1)))
/** Opened in turn, because a processor core makes some hundred TLS handshakes a second. */
const perBatch = 50
const batchMs = 250
const everyMs = 1_000
const batches = Math.ceil(streams / perBatch)
/** The first stream still runs when the last one has begun, and ten seconds more. */
const pieces = Math.ceil((batches * batchMs) / everyMs) + 20

export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const service = await startModelport(dataDir, `http://127.0.0.1:${upstream.port}`, {
    settings: { concurrentRequests: streams + 100, concurrentRequestsPerKey: streams + 100 },
  })
  const { target } = service
  await streamWith(target, { connections: 50, durationMs: 0, plan: { pieces: 2, everyMs: 100 } })
  const before = await residentBytes(target.pid)
  const plan = { pieces, everyMs }
  const asked = Array.from({ length: batches }, async (_, batch) => {
    await pause(batch * batchMs)
    return await streamWith(target, { connections: perBatch, durationMs: 0, plan })
  })
  const ended = Promise.allSettled(asked)
  await pause(batches * batchMs + 5_000)
  const during = await residentBytes(target.pid)
  const results = await ended
  const loads = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  printReasons(results)
  await stop(service.child)
  await stop(upstream.child)
  await rm(dataDir, { recursive: true })
  return measure(loads, (during - before) / (batches * perBatch))
}

/** Prints why streams were dropped, each reason once. */
function printReasons(results: readonly PromiseSettledResult<unknown>[]): void {
  const reasons = results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  for (const reason of new Set(reasons)) process.stderr.write(`dropped: ${reason}\n`)
}

function measure(loads: readonly StreamLoad[], bytesEach: number): Measurement[] {
  const whole = loads.reduce((sum, load) => sum + load.streams, 0)
  const lost = loads.reduce((sum, { lostPieces }) => sum + lostPieces, 0)
  const transitMs = loads.flatMap((load) => load.transitMs)
  return [
    row('simultaneous streams', [batches * perBatch, ''], { target: { atLeast: streams } }),
    row('of these dropped', [batches * perBatch - whole, ''], { target: { atMost: 0 } }),
    row('pieces lost or out of order', [lost, ''], { target: { atMost: 0 } }),
    row('memory of each', [bytesEach / 1_000, 'KB'], { target: { atMost: 80 } }),
    row('from upstream to client, p50', [median(transitMs), 'ms']),
    row('from upstream to client, p99', [quantile(transitMs, 0.99), 'ms'], {
      target: { atMost: 50 },
    }),
  ]
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}
