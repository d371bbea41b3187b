/** The window's clock: read here, so that nothing shown is of a day that was read before the clock was set. */
import { ClockWatch } from '../../../shared/app/clock-watch.ts'

const refreshMs = 30_000
/**
 * The main process tells of a set clock within half a second, unless it was set back by then. A window that read it
 * meanwhile looks again after this time.
 */
const lookAgainMs = 600

const watch = new ClockWatch(
  () => Date.now(),
  () => performance.now(),
)
const listeners = new Set<() => void>()
let refreshing: ReturnType<typeof setInterval> | undefined
let lookingAgain: ReturnType<typeof setTimeout> | undefined

/** Unix milliseconds. */
export function readClock(): number {
  // Not at once: components read it while they are drawn.
  if (isSet()) setTimeout(tick)
  return Date.now()
}

/** Called when the main process has noticed that the clock was set. */
export function noteClock(): void {
  if (isSet()) tick()
}

/** Calls the listener every 30 s and when the clock is set. @returns a function that stops it */
export function onTick(listener: () => void): () => void {
  if (listeners.size === 0) refreshing = setInterval(tick, refreshMs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(refreshing)
  }
}

function isSet(): boolean {
  if (!watch.look()) return false
  clearTimeout(lookingAgain)
  lookingAgain = setTimeout(noteClock, lookAgainMs)
  return true
}

function tick(): void {
  for (const listener of listeners) listener()
}
