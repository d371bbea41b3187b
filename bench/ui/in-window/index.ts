/** What is measured inside the window: bundled into one script, and called there by the bench. */
import { createLinePlot } from '../../../src/renderer/src/charts/line-plot.ts'
import { linearScale } from '../../../src/renderer/src/charts/scales.ts'

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** @returns the time from the click until the page has drawn all of `selector`, in ms */
export async function openingMs(hash: string, selector: string): Promise<number> {
  const startedAt = performance.now()
  location.hash = hash
  while (document.querySelector(selector) === null) await nextFrame()
  await nextFrame()
  return performance.now() - startedAt
}

export interface ScrolledList {
  rows: number
  /** Longest task of the window's thread; 0 when none took 50 ms, the shortest that browsers report. */
  longestTaskMs: number
  /** Whether a task that was made long on purpose was noticed. */
  isWatching: boolean
  /** Whether the last row was there at the end. */
  hasReachedEnd: boolean
}

const steps = 600
const jumps = 40

/** Scrolls the open list of requests from its top to its end, then to places all over it. */
export async function scrollRequests(): Promise<ScrolledList> {
  const tasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration))
  })
  observer.observe({ type: 'longtask' })
  const isWatching = await makeLongTask(tasks)
  const grid = document.querySelector('[role=grid]')
  if (grid === null) throw new Error('the list of requests is not open')
  const end = grid.scrollHeight - grid.clientHeight
  for (let step = 1; step <= steps; step += 1) {
    grid.scrollTop = (end * step) / steps
    await nextFrame()
  }
  await rest(500)
  const rows = Number(grid.getAttribute('aria-rowcount')) - 1
  const hasReachedEnd = grid.querySelector(`[aria-rowindex="${rows + 1}"] time`) !== null
  for (let jump = 1; jump <= jumps; jump += 1) {
    // The golden ratio spreads the places evenly.
    grid.scrollTop = end * ((jump * 0.618) % 1)
    await rest(80)
  }
  observer.disconnect()
  return { rows, longestTaskMs: Math.max(0, ...tasks), isWatching, hasReachedEnd }
}

async function makeLongTask(tasks: number[]): Promise<boolean> {
  await rest(100)
  const until = performance.now() + 80
  while (performance.now() < until);
  await rest(200)
  return tasks.splice(0).length > 0
}

const rounds = 25
/** The first ones also compile. */
const warmUps = 5

/** @returns the times of updates of a plot with this many points, with other values each time, in ms */
export async function plotUpdates(points: number): Promise<number[]> {
  const element = document.createElement('div')
  document.body.append(element)
  const line = { color: '#0f766e', look: 'line' as const }
  const plot = createLinePlot(element, [line, { ...line, isBandTop: true }, line])
  const box = { width: 900, height: 220, fromMs: 0, toMs: points, scale: linearScale(5) }
  const times = Array.from({ length: points }, (_, index) => index)
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const values = [1, 2, 3].map((height) => wave(times, height, round))
    const startedAt = performance.now()
    plot.update({ times, values }, box)
    // The drawing is queued behind the update.
    await new Promise<void>((resolve) => queueMicrotask(resolve))
    tookMs.push(performance.now() - startedAt)
    await nextFrame()
  }
  plot.destroy()
  element.remove()
  return tookMs.slice(warmUps)
}

function wave(times: readonly number[], height: number, round: number): number[] {
  return times.map((at) => height + Math.sin(at / 90 + round) + ((at * 7919) % 13) / 20)
}
