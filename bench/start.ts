/**
 * The time of a second start, as a person runs it: `npm start` until the window appears, and without a display until
 * the line with the first request. The first start creates the database and is not counted.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findCacheDir } from '../scripts/setup/paths.mjs'
import type { Measurement } from './measurement.ts'
import { openDisplay } from './servers/display.ts'

const repositoryDir = fileURLToPath(new URL('..', import.meta.url))
const starts = 5
const limitMs = 5_000
const giveUpMs = 120_000

interface Kind {
  name: string
  env: NodeJS.ProcessEnv
  /** Resolves true when the person sees the result of the start. */
  isThere: (start: Start) => Promise<boolean>
}

interface Start {
  child: ChildProcess
  /** The output so far. */
  printed: () => string
}

/** @throws Error when a start takes longer than two minutes */
export async function run(): Promise<Measurement[]> {
  const home = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const display = await openDisplay()
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...surroundings } = process.env
  const common: NodeJS.ProcessEnv = {
    ...surroundings,
    HOME: home,
    MODELPORT_CACHE_DIR: findCacheDir(process.env),
  }
  const window: Kind = {
    name: 'second start to the window',
    env: { ...common, DISPLAY: display.name, XDG_CONFIG_HOME: join(home, 'desktop') },
    isThere: () => isWindowShown(display.name),
  }
  const line: Kind = {
    name: 'second start to the line, without a display',
    env: { ...common, XDG_CONFIG_HOME: join(home, 'headless') },
    isThere: async ({ printed }) => printed().includes('curl --cacert'),
  }
  try {
    return [await measure(window), await measure(line)]
  } finally {
    display.child.kill()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measure(kind: Kind): Promise<Measurement> {
  await startOnce(kind)
  const tookMs: number[] = []
  for (let start = 1; start <= starts; start += 1) tookMs.push(await startOnce(kind))
  const [slowest = Number.NaN] = tookMs.toSorted((a, b) => b - a)
  process.stdout.write(`${kind.name}: ${tookMs.map((ms) => `${Math.round(ms)} ms`).join(', ')}\n`)
  return {
    what: `${kind.name}, slowest`,
    unit: 'ms',
    measured: slowest,
    target: { atMost: limitMs },
  }
}

async function startOnce({ env, isThere }: Kind): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], { cwd: repositoryDir, env, stdio: 'pipe', detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      printed += text.toString()
    })
  }
  const start = { child, printed: () => printed }
  while (!(await isThere(start))) {
    if (performance.now() - startedAt > giveUpMs || child.exitCode !== null) {
      throw new Error(`it did not start:\n${printed}`)
    }
    await pause(20)
  }
  const tookMs = performance.now() - startedAt
  await end(child)
  return tookMs
}

/** Ends npm and all processes it started, and waits for the last of them. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await closed
}

/** Whether the display shows a Modelport window. A window exists before it is shown, but is not viewable yet. */
async function isWindowShown(display: string): Promise<boolean> {
  const tree = await xwininfo(display, ['-root', '-tree'])
  const id = /(0x[0-9a-f]+) "Modelport"/.exec(tree)?.[1]
  if (id === undefined) return false
  return (await xwininfo(display, ['-id', id])).includes('Map State: IsViewable')
}

async function xwininfo(display: string, args: readonly string[]): Promise<string> {
  const child = spawn('xwininfo', ['-display', display, ...args], { stdio: 'pipe' })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  await once(child, 'close')
  return text
}
