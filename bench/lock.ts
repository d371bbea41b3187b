/** The service while another process locks its database for three seconds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Target } from './load.ts'
import { median } from './quantile.ts'
import { row } from './row.ts'
import type { Measurement } from './measurement.ts'
import { inspect, type Inspector, type LoopDelay } from './servers/inspector.ts'
import { startServer, stop } from './servers/start.ts'
import { askSteadily, type SteadyAnswer } from './steady-load.ts'
import { openOwnWorkspace, startModelport } from './targets.ts'

export const requestsPerSecond = 200
const lockMs = 3_000
/** The lock falls within it, with time before and after. */
const lockedMs = 6_000
/** The median counts, so that one disturbance does not matter. */
const locks = 3

/** The loop's delay while requests arrive at their rate, and their answers. */
export interface Watched {
  delay: LoopDelay
  answers: SteadyAnswer[]
}

export async function run(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const upstream = await startServer('upstream.ts')
  const service = await startModelport(dataDir, `http://127.0.0.1:${upstream.port}`, {
    nodeArgs: ['--inspect=127.0.0.1:0'],
  })
  const inspector = await inspect(service.debuggerUrl ?? '')
  const watched: Watched[] = []
  while (watched.length < locks) {
    watched.push(await watchLoop(inspector, () => askAroundLock(service.target, dataDir)))
  }
  inspector.close()
  await stop(service.child)
  await stop(upstream.child)
  const answers = watched.flatMap((each) => each.answers)
  const rows = await countRows(dataDir, answers)
  await rm(dataDir, { recursive: true })
  const wrong = answers.filter(({ isRight }) => !isRight).length
  const longestMs = median(watched.map(({ delay }) => delay.longestMs))
  return [
    row('locks of 3 s', [locks, ''], { target: { atLeast: locks } }),
    row('longest delay of the event loop, median of them', [longestMs, 'ms'], {
      target: { atMost: 50 },
    }),
    row('answers meanwhile', [answers.length, ''], { target: { atLeast: 1_000 } }),
    row('of these failed', [wrong, ''], { target: { atMost: 0 } }),
    row('of these without a row', [answers.length - rows, ''], { target: { atMost: 0 } }),
  ]
}

async function countRows(dataDir: string, answers: readonly SteadyAnswer[]): Promise<number> {
  const workspace = await openOwnWorkspace(dataDir)
  const rows = await workspace.storage.ledger.list({ limit: answers.length })
  await workspace.close()
  const ids = new Set(rows.map(({ id }) => id))
  return answers.filter(({ id }) => ids.has(id)).length
}

export async function askAroundLock(target: Target, dataDir: string): Promise<SteadyAnswer[]> {
  const asking = askSteadily(target, requestsPerSecond, lockedMs)
  await pause(1_000)
  await holdLock(dataDir)
  return await asking
}

export async function watchLoop(
  inspector: Inspector,
  ask: () => Promise<SteadyAnswer[]>,
): Promise<Watched> {
  await inspector.watchLoop()
  const answers = await ask()
  return { answers, delay: await inspector.loopDelay() }
}

/** Starts another process that takes the database's write lock, holds it, and ends. */
async function holdLock(dataDir: string): Promise<void> {
  const file = fileURLToPath(new URL('../test/storage/children/hold-lock.ts', import.meta.url))
  const child = spawn(process.execPath, [file, join(dataDir, 'modelport.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  await pause(lockMs)
  child.kill()
  await exited
}
