const tickMs = 500
const looks = new Set<{ everyTicks: number; look: () => void }>()
let ticks = 0
let ticking: NodeJS.Timeout | undefined

/**
 * Looks again and again for what another process may have changed. Everything in this process looks at the same
 * moments, so that a computer at rest is woken once for all of it.
 * @param periodMs  a multiple of half a second
 * @returns stops it
 */
export function lookEvery(periodMs: number, look: () => void): () => void {
  const one = { everyTicks: periodMs / tickMs, look }
  looks.add(one)
  ticking ??= setInterval(tick, tickMs).unref()
  return () => {
    looks.delete(one)
    if (looks.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

function tick(): void {
  ticks += 1
  for (const { everyTicks, look } of looks) if (ticks % everyTicks === 0) look()
}

export interface LookOptions {
  /** Calls a listener when what is looked at may have changed. @returns removes it */
  onChange(listener: () => void): () => void
  /** Looks begin at most this often. */
  periodMs: number
  /** For what changes with time alone: a look begins at least this often. */
  longestMs?: number
  look(): Promise<void>
  /** Called with the error of each look that failed. The next one follows after the period. */
  onError(error: unknown): void
}

/** Looks now and after changes, so that a computer at rest is not woken. */
export function lookAfterChanges({ onChange, periodMs, longestMs, look, onError }: LookOptions): {
  /** Looks as after a change. */
  lookSoon(): void
  stop(): void
} {
  let timer: NodeJS.Timeout | undefined
  let beganAtMs = -Infinity
  let isStopped = false
  const lookSoon = () => {
    if (isStopped) return
    timer ??= setTimeout(begin, Math.max(0, beganAtMs + periodMs - performance.now())).unref()
  }
  const begin = () => {
    timer = undefined
    beganAtMs = performance.now()
    look().catch((error: unknown) => {
      onError(error)
      lookSoon()
    })
  }
  const stopListening = onChange(lookSoon)
  const stopTime = longestMs === undefined ? null : lookEvery(longestMs, lookSoon)
  begin()
  return {
    lookSoon,
    stop() {
      isStopped = true
      stopListening()
      stopTime?.()
      clearTimeout(timer)
    },
  }
}
