/**
 * The window as a person meets it: the built app in real Electron on a display of its own, over a ledger of 100,000 and
 * one of 1,000,000 requests. Linux only, because it reads /proc. About seven minutes; run it alone.
 */
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { seedConfiguration, seedLedger } from '../test/usage-seed/usage-seed.ts'
import type { Measurement } from './measurement.ts'
import { median } from './quantile.ts'
import { row } from './row.ts'
import { openDisplay } from './servers/display.ts'
import { launchApp, preparePlace, type Place } from './ui/app.ts'
import { memoryOf, processorShare } from './ui/processes.ts'
import { bundleWindowScript, openingMs, plotUpdates, scrollRequests } from './ui/window-script.ts'

const starts = 5
const listedRows = 100_000
const usageRows = 1_000_000
const days = 90
const chartPoints = 10_000
/** Time after the start until all of its work is done. */
const settleMs = 15_000
const idleMs = 10_000

/** The figures of one start. */
interface Start {
  interactiveMs: number
  /** Time until Home shows the service's figures. */
  figuresMs: number
  idleShare: number
  memoryMib: number
  longestTaskMs: number
}

export async function run(): Promise<Measurement[]> {
  const home = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const display = await openDisplay()
  try {
    const place = await preparePlace(home, display.name)
    const script = await bundleWindowScript()
    const listed = await seed(join(home, 'listed'), listedRows)
    const measured: Start[] = []
    // The first start is not counted: it creates the certificate and upgrades nothing later.
    for (let start = 0; start <= starts; start += 1) {
      const figures = await measureStart(place, { dataDir: listed, script })
      process.stdout.write(`${start === 0 ? 'first start' : 'start'}: ${JSON.stringify(figures)}\n`)
      if (start > 0) measured.push(figures)
    }
    const large = await seed(join(home, 'large'), usageRows)
    return [...startRows(measured), ...(await measureUsage(place, { dataDir: large, script }))]
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

interface Measuring {
  dataDir: string
  script: string
}

async function measureStart(place: Place, { dataDir, script }: Measuring): Promise<Start> {
  const { app, window } = await launchApp(place, dataDir)
  try {
    const createdAt = await app.evaluate(() => process.getCreationTime() ?? Number.NaN)
    const interactiveMs = (await interactiveAt(window)) - createdAt
    await window.locator('[aria-label=Figures]').waitFor()
    const figuresMs = Date.now() - createdAt
    const pid = await app.evaluate(() => process.pid)
    await pause(settleMs)
    const idleShare = await processorShare(pid, idleMs)
    const memoryMib = await memoryOf(pid)
    await window.evaluate(script)
    await openingMs(window, '#/activity?range=all', '[role=grid] time')
    const longestTaskMs = await scrollRequests(window, listedRows)
    // The next start opens the last page.
    await window.evaluate(`location.hash = '#/home'`)
    await window.locator('[aria-label=Figures]').waitFor()
    return { interactiveMs, figuresMs, idleShare, memoryMib, longestTaskMs }
  } finally {
    await app.close()
  }
}

/** Time at which the first page can be used, in Unix ms. */
async function interactiveAt(window: Page): Promise<number> {
  await window.locator('main h1').waitFor()
  return z
    .number()
    .parse(
      await window.evaluate(
        `new Promise((resolve) => requestAnimationFrame(() => resolve(Date.now())))`,
      ),
    )
}

function startRows(measured: readonly Start[]): Measurement[] {
  const of = (name: keyof Start) => median(measured.map((start) => start[name]))
  return [
    row('window interactive after start', [of('interactiveMs'), 'ms'], {
      target: { atMost: 1_500 },
    }),
    row('figures shown on Home after start', [of('figuresMs'), 'ms']),
    row('longest task, 100,000 requests scrolled', [of('longestTaskMs'), 'ms'], {
      target: { atMost: 50 },
    }),
    row('processor time at rest', [of('idleShare'), '% of a core'], { target: { atMost: 1 } }),
    row('memory of all processes at rest', [of('memoryMib'), 'MiB'], { target: { atMost: 350 } }),
  ]
}

async function measureUsage(place: Place, { dataDir, script }: Measuring): Promise<Measurement[]> {
  const { app, window } = await launchApp(place, dataDir)
  try {
    await interactiveAt(window)
    await pause(settleMs)
    await window.evaluate(script)
    const opened: number[] = []
    for (let time = 0; time < starts; time += 1) {
      await openingMs(window, '#/home', '[aria-label=Figures]')
      await pause(1_000)
      opened.push(await openingMs(window, '#/activity?view=charts&range=30d', 'main figure'))
    }
    const updates = await plotUpdates(window, chartPoints)
    process.stdout.write(`Usage opened in ${opened.map(Math.round).join(', ')} ms\n`)
    return [
      row('Usage opens over 1,000,000 requests', [median(opened), 'ms'], {
        target: { atMost: 300 },
      }),
      row('chart of 10,000 points updated', [median(updates), 'ms'], { target: { atMost: 5 } }),
    ]
  } finally {
    await app.close()
  }
}
