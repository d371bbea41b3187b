/** What the window's thread does: times until something is drawn, long tasks, and the work of each frame. */
import type { CDPSession, Locator, Page } from '@playwright/test'

/** Clicks a button. @returns the time until the page shows and has drawn the text, in ms */
export async function drawnMs(
  button: Locator,
  wanted: { selector: string; text: string },
): Promise<number> {
  return await button.evaluate(async (element, { selector, text }) => {
    const isShown = () => document.querySelector(selector)?.textContent.includes(text) === true
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const startedAt = performance.now()
    if (element instanceof HTMLElement) element.click()
    while (!isShown()) {
      if (performance.now() > startedAt + 60_000) throw new Error(`“${text}” is not shown.`)
      await nextFrame()
    }
    await nextFrame()
    return performance.now() - startedAt
  }, wanted)
}

/** @returns the longest task so far of the window's thread, in ms: 0 when none took 50 ms, the shortest that is reported */
export async function watchTasks(window: Page): Promise<() => Promise<number>> {
  await window.evaluate(() => {
    let longest = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    })
    observer.observe({ type: 'longtask' })
    Object.assign(globalThis, { longestTaskMs: () => longest })
  })
  return () => window.evaluate(() => (Reflect.get(globalThis, 'longestTaskMs') as () => number)())
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  /** Processor time in microseconds, which other programs do not change. */
  tdur?: number
}

/** Records the work of frames until the returned function is called, which gives the milliseconds of each frame that had work. */
export async function watchFrames(window: Page): Promise<() => Promise<number[]>> {
  const session = await window.context().newCDPSession(window)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    // Checked boundary: the fields that every event of Chromium's traces has.
    events.push(...(value as unknown as TraceEvent[]))
  })
  const categories = 'devtools.timeline,disabled-by-default-devtools.timeline,toplevel'
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' })
  return async () => {
    await endOf(session)
    return frameWork(events)
  }
}

async function endOf(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve)
  })
  await session.send('Tracing.end')
  await complete
  await session.detach()
}

/** Scripts, styles, layout and drawing of the window's thread up to each frame since the one before. */
function frameWork(events: readonly TraceEvent[]): number[] {
  // Each frame has this once, after its layout.
  const drawn = events.filter(({ name }) => name === 'PrePaint')
  const [first] = drawn
  if (!first) throw new Error('The trace has no frames.')
  const isOfThread = ({ pid, tid }: TraceEvent) => pid === first.pid && tid === first.tid
  const ends = drawn.filter(isOfThread).map(({ ts }) => ts)
  const work = ends.map(() => 0)
  for (const { name, ts, tdur = 0 } of events.filter(isOfThread)) {
    if (name !== 'RunTask') continue
    const frame = ends.findIndex((end) => end >= ts)
    if (frame !== -1) work[frame] = (work[frame] ?? 0) + tdur / 1_000
  }
  return work
}
