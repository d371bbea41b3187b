/**
 * The service over time: whether its memory grows with the number of requests, the delay of its event loop at a usual
 * rate, and the effect of another process that locks the database for three seconds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadWith, type Target } from './load.ts'
import { askAroundLock, requestsPerSecond, watchLoop, type Watched } from './lock.ts'
import { median } from './quantile.ts'
import { askSteadily, type SteadyAnswer } from './steady-load.ts'
import { countMoneyFindings } from './money-findings.ts'
import { row } from './row.ts'
import { slopeOf } from './slope.ts'
import type { Measurement } from './measurement.ts'
import { inspect, type Inspector, type Memory } from './servers/inspector.ts'
import { startServer, stop } from './servers/start.ts'
import { streamWith } from './stream-load.ts'
import { openOwnWorkspace, startModelport } from './targets.ts'

const warmUpMs = 20_000
const samples = 9
const sampleMs = 8_000
const steadyMs = 15_000
/** The median counts, so that one disturbance does not matter. */
const locks = 3

interface Sample extends Memory {
  /** Answers until then. */
  requests: number
}

/** Memory by number of requests, and the loop with and without locks. */
interface Soak {
  taken: Sample[]
  steady: Watched
  locked: Watched[]
  /** Requests answered in the whole run. */
  answered: number
}

export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`
  // On a free port, and on the loopback, like all servers here.
  const service = await startModelport(dataDir, upstreamUrl, {
    nodeArgs: ['--inspect=127.0.0.1:0'],
  })
  const inspector = await inspect(service.debuggerUrl ?? '')
  const soaked = await soak(service.target, inspector, dataDir)
  inspector.close()
  await stop(service.child)
  await stop(upstream.child)
  const kept = await readLedger(dataDir, lockedAnswers(soaked).length)
  const findings = await countMoneyFindings(dataDir)
  await rm(dataDir, { recursive: true })
  return [
    ...measureMemory(soaked.taken),
    ...measureLoop(soaked),
    ...measureLedger(soaked, kept),
    row('findings of the money check', [findings, ''], { target: { atMost: 0 } }),
  ]
}

async function soak(target: Target, inspector: Inspector, dataDir: string): Promise<Soak> {
  const taken: Sample[] = []
  let requests = await askBusily(target, warmUpMs)
  taken.push({ requests, ...(await inspector.memory()) })
  while (taken.length < samples) {
    requests += await askBusily(target, sampleMs)
    const sample = { requests, ...(await inspector.memory()) }
    printSample(sample)
    taken.push(sample)
  }
  const steady = await watchLoop(inspector, () => askSteadily(target, requestsPerSecond, steadyMs))
  const locked: Watched[] = []
  while (locked.length < locks) {
    locked.push(await watchLoop(inspector, () => askAroundLock(target, dataDir)))
  }
  const answered = requests + [steady, ...locked].flatMap(({ answers }) => answers).length
  return { taken, steady, locked, answered }
}

/** Sends as many requests as possible, some of them streamed. @returns the number of requests */
async function askBusily(target: Target, durationMs: number): Promise<number> {
  const plan = { pieces: 20, everyMs: 0 }
  const [whole, streamed] = await Promise.all([
    loadWith(target, 12, durationMs),
    streamWith(target, { connections: 4, durationMs, plan }),
  ])
  return whole.latenciesMs.length + streamed.streams
}

interface LedgerContents {
  rows: number
  /** Ids of the newest rows. */
  ids: string[]
}

async function readLedger(dataDir: string, newest: number): Promise<LedgerContents> {
  const workspace = await openOwnWorkspace(dataDir)
  const { ledger } = workspace.storage
  const usage = await ledger.usage({ sinceMs: 0, group: 'router' })
  const rows = usage.reduce((sum, { requests }) => sum + requests, 0)
  const ids = (await ledger.list({ limit: newest })).map(({ id }) => id)
  await workspace.close()
  return { rows, ids }
}

function measureMemory(taken: readonly Sample[]): Measurement[] {
  const first = taken[0]?.requests ?? NaN
  const last = taken.at(-1)?.requests ?? NaN
  const growth = (field: keyof Memory) => {
    const points = taken.map((sample) => [sample.requests, sample[field]] as const)
    return (slopeOf(points) * 100_000) / 2 ** 20
  }
  const resident = (taken.at(-1)?.residentBytes ?? NaN) / 2 ** 20
  const target = { atMost: 1 }
  const unit = 'MiB per 100,000'
  return [
    row('requests before memory was looked at', [first, '']),
    row('requests while it was', [last - first, ''], { target: { atLeast: 10_000 } }),
    row('growth of the heap after collection', [growth('heapBytes'), unit], { target }),
    row('growth of the resident memory', [growth('residentBytes'), unit], { target }),
    row('resident memory at the end', [resident, 'MiB'], { goal: { atMost: 160 } }),
  ]
}

function measureLoop(soaked: Soak): Measurement[] {
  const { steady, locked } = soaked
  const at = `at ${requestsPerSecond} requests/s`
  const slowest = Math.max(...lockedAnswers(soaked).map(({ tookMs }) => tookMs))
  const longestMs = median(locked.map(({ delay }) => delay.longestMs))
  return [
    row(`event-loop delay p99 ${at}`, [steady.delay.p99Ms, 'ms'], { target: { atMost: 20 } }),
    row(`event-loop delay ${at}, longest`, [steady.delay.longestMs, 'ms']),
    row('database held for 3 s: longest delay', [longestMs, 'ms'], {
      target: { atMost: 50 },
    }),
    row('database held for 3 s: slowest answer', [slowest, 'ms']),
  ]
}

function measureLedger(soaked: Soak, kept: LedgerContents): Measurement[] {
  const { steady, answered } = soaked
  const answers = [...steady.answers, ...lockedAnswers(soaked)]
  const wrong = answers.filter(({ isRight }) => !isRight).length
  const ids = new Set(kept.ids)
  const missing = lockedAnswers(soaked).filter(({ id }) => !ids.has(id)).length
  return [
    row('answers at that rate', [answers.length, '']),
    row('of these not a 200 and whole', [wrong, ''], { target: { atMost: 0 } }),
    row('answers around the lock without a row', [missing, ''], { target: { atMost: 0 } }),
    row('ledger rows per answer of the run', [kept.rows / answered, ''], {
      target: { atLeast: 1 },
    }),
    row('ledger rows too many', [kept.rows - answered, ''], { target: { atMost: 0 } }),
  ]
}

function lockedAnswers({ locked }: Soak): SteadyAnswer[] {
  return locked.flatMap(({ answers }) => answers)
}

function printSample({ requests, heapBytes, residentBytes }: Sample): void {
  const [heap, resident] = [heapBytes, residentBytes].map((bytes) => (bytes / 2 ** 20).toFixed(2))
  process.stdout.write(`${requests} requests  heap ${heap} MiB  resident ${resident} MiB\n`)
}
