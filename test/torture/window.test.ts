/**
 * Home and the banners of a window over a real service that gets into random states: they say what is true and
 * nothing else, within a second.
 */
import { afterAll, expect, test, vi } from 'vitest'
import { row } from '../../bench/row.ts'
import type { ModelportBridge } from '../../src/shared/ipc.ts'
import { seeded } from '../agents/random.ts'
import { expectMeasured, isTorture, randomSeeds, tortureTimeoutMs } from './amounts.ts'
import { startStates, type Truth } from './window/random-states.ts'
import { bridgeTo } from './window/real-bridge.ts'

vi.mock('electron', () => ({
  app: {
    getVersion: () => '0.0.0',
    getPath: () => '/',
    getSystemLocale: () => 'en-US',
  },
}))
// Links are text.
vi.mock('@tanstack/react-router', () => ({
  Link: 'a',
  useSearch: () => ({}),
  useNavigate: () => () => undefined,
}))

interface WindowModule {
  openShownWindow(
    bridge: ModelportBridge,
  ): Promise<{ shown(): Truth & { text: string }; close(): void }>
}

/** The longest time in which the window may say what is no longer true. */
const longestMs = 1_000
/** A state that is not shown by then is never shown. */
const waitMs = 60_000
/** The first ones are enough to find a cause. */
const mostFindings = 5
const seeds = randomSeeds({ quick: 50, full: 1_000 })

test(
  'Home and the banners say what is true of each of many random states, and nothing else',
  { timeout: tortureTimeoutMs },
  async () => {
    const states = await startStates(afterAll)
    // Of another TypeScript project, because it has a document.
    const module = await vi.importActual<WindowModule>('../renderer-harness/shown-window.ts')
    const window = await module.openShownWindow(bridgeTo(states.service))
    const wrong: unknown[] = []
    let slowestMs = 0
    for (const seed of seeds) {
      const done = await states.change(seeded(seed))
      const since = performance.now()
      const outcome = await waitForTruth(states.truth, window.shown)
      const tookMs = performance.now() - since
      slowestMs = Math.max(slowestMs, tookMs)
      const isLate = isTorture && tookMs > longestMs
      if (outcome !== null || isLate) wrong.push({ seed, done, tookMs, ...outcome })
      if (wrong.length === mostFindings) break
    }
    window.close()
    expect(wrong).toEqual([])
    expectMeasured([
      row('random states of the service', [seeds.length, ''], {
        target: { atLeast: seeds.length },
      }),
      row('longest time until it said what is true', [slowestMs, 'ms'], {
        // Beside other tests, a busy computer may take longer.
        target: { atMost: isTorture ? longestMs : waitMs },
      }),
    ])
  },
)

/** @returns null once the window shows the truth, and otherwise both */
async function waitForTruth(truth: () => Promise<Truth>, shown: () => Truth & { text: string }) {
  const deadline = performance.now() + waitMs
  for (;;) {
    const [wanted, read] = [await truth(), shown()]
    if (isTold(wanted, read)) return null
    if (performance.now() > deadline) return { wanted, read }
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

function isTold(wanted: Truth, { text, ...read }: Truth & { text: string }): boolean {
  const isCalm = text.includes('All good')
  const needsNothing = wanted.points.length === 0 && wanted.banners.length === 0
  return (
    isCalm === needsNothing &&
    hasAll(wanted.points, read.points) &&
    hasAll(wanted.banners, read.banners)
  )
}

/** Whether each text begins with one of the others, and there are no more. */
function hasAll(wanted: readonly string[], read: readonly string[]): boolean {
  if (wanted.length !== read.length) return false
  const sorted = read.toSorted()
  return wanted.toSorted().every((words, index) => sorted[index]?.startsWith(words))
}
