/**
 * The window as a person meets it: the built app in real Electron on a display of its own, over a ledger of 100,000 and
 * one of 1,000,000 requests. Starts and rest are those of the app without a test driver. Linux only, because it reads
 * /proc. About ten minutes; run it alone.
 */
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedConfiguration, seedLedger } from '../test/usage-seed/usage-seed.ts'
import type { Measurement } from './measurement.ts'
import { median } from './quantile.ts'
import { row } from './row.ts'
import { openDisplay } from './servers/display.ts'
import { launchApp, preparePlace, quit, watchStart, type Place } from './ui/app.ts'
import { memoryOf, processorShare } from './ui/processes.ts'
import { bundleWindowScript, openingMs, plotUpdates, scrollRequests } from './ui/window-script.ts'

const starts = 5
const listedRows = 100_000
const usageRows = 1_000_000
const days = 90
const chartPoints = 10_000
/** Time after the start until all of its work is done, also the collection of its garbage. */
const settleMs = 45_000
const idleMs = 20_000
/** Time after which a start no longer slows the window down. */
const startMs = 15_000

/** The figures of one start. */
interface Start {
  interactiveMs: number
  /** Time until Home shows the service's figures. */
  figuresMs: number
  idleShare: number
  memoryMib: number
}

export async function run(): Promise<Measurement[]> {
  const home = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const display = await openDisplay()
  try {
    const place = await preparePlace(home, display.name)
    const script = await bundleWindowScript()
    const listed = await seed(join(home, 'listed'), listedRows)
    // The first start is not measured: it creates the certificate.
    await quit(await watchStart(place, listed))
    const measured: Start[] = []
    for (let start = 0; start < starts; start += 1) {
      const figures = await measureStart(place, listed)
      process.stdout.write(`start: ${JSON.stringify(figures)}\n`)
      measured.push(figures)
    }
    const scrolled = await measureScrolling(place, { dataDir: listed, script })
    const large = await seed(join(home, 'large'), usageRows)
    const opened = await measurePlaces(place, { dataDir: large, script })
    return [...startRows(measured), scrolled, ...opened]
  } finally {
    display.child.kill()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function seed(dataDir: string, rows: number): Promise<string> {
  const startedAt = performance.now()
  await mkdir(dataDir, { recursive: true })
  await seedLedger(dataDir, await seedConfiguration(dataDir), { rows, days, nowMs: Date.now() })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${rows} requests written in ${seconds} s\n`)
  return dataDir
}

async function measureStart(place: Place, dataDir: string): Promise<Start> {
  const start = await watchStart(place, dataDir)
  const { interactiveMs, figuresMs, pid } = start
  try {
    await pause(settleMs)
    const idleShare = await processorShare(pid, idleMs)
    return { interactiveMs, figuresMs, idleShare, memoryMib: await memoryOf(pid) }
  } finally {
    await quit(start)
  }
}

function startRows(measured: readonly Start[]): Measurement[] {
  const of = (name: keyof Start) => median(measured.map((start) => start[name]))
  return [
    row('window interactive after start', [of('interactiveMs'), 'ms'], {
      target: { atMost: 1_300 },
    }),
    row('figures shown on Home after start', [of('figuresMs'), 'ms']),
    row('processor time at rest', [of('idleShare'), '% of a core'], { target: { atMost: 0.4 } }),
    row('memory of all processes at rest', [of('memoryMib'), 'MiB'], { target: { atMost: 320 } }),
  ]
}

interface Measuring {
  dataDir: string
  script: string
}

async function measureScrolling(place: Place, { dataDir, script }: Measuring) {
  const { app, window } = await launchApp(place, dataDir)
  try {
    await window.locator('[aria-label=Figures]').waitFor()
    await pause(startMs)
    await window.evaluate(script)
    await openingMs(window, '#/activity?range=all', '[role=grid] time')
    const longestTasks: number[] = []
    for (let time = 0; time < starts; time += 1)
      longestTasks.push(await scrollRequests(window, listedRows))
    process.stdout.write(`longest tasks: ${longestTasks.map(Math.round).join(', ')} ms\n`)
    return row('longest task, 100,000 requests scrolled', [median(longestTasks), 'ms'], {
      target: { atMost: 50 },
    })
  } finally {
    await app.close()
  }
}

/** What each place has drawn once it is open. */
const places = [
  ['Home', '#/home', '[aria-label=Figures]'],
  ['Chat', '#/chat', 'main textarea'],
  ['Routers', '#/routers', 'main [role=rowheader], main tbody tr'],
  ['Activity', '#/activity', '[role=grid] time'],
  ['Activity, charts', '#/activity?view=charts&range=30d', 'main figure'],
  ['Models', '#/models', 'main [role=rowheader], main tbody tr'],
  ['Connect', '#/connect', 'main tbody tr'],
  ['Settings', '#/settings/general', 'main input, main [role=combobox]'],
] as const

async function measurePlaces(place: Place, { dataDir, script }: Measuring): Promise<Measurement[]> {
  const { app, window } = await launchApp(place, dataDir)
  try {
    await window.locator('[aria-label=Figures]').waitFor()
    await pause(startMs)
    await window.evaluate(script)
    const opened = new Map<string, number[]>(places.map(([name]) => [name, []]))
    for (let time = 0; time < starts; time += 1) {
      for (const [name, hash, selector] of places) {
        await window.evaluate(`location.hash = '#/blank'`)
        await pause(1_000)
        opened.get(name)?.push(await openingMs(window, hash, selector))
      }
    }
    const updates = await plotUpdates(window, chartPoints)
    return [
      ...[...opened].map(([name, tookMs]) => {
        process.stdout.write(`${name} opened in ${tookMs.map(Math.round).join(', ')} ms\n`)
        return row(`${name} opens over 1,000,000 requests`, [median(tookMs), 'ms'], {
          target: { atMost: 100 },
        })
      }),
      row('chart of 10,000 points updated', [median(updates), 'ms'], { target: { atMost: 5 } }),
    ]
  } finally {
    await app.close()
  }
}
