import { useEffect, useState } from 'react'

const refreshMs = 30_000
/** A clock that was set, or a computer that woke up, is noticed within this time. */
const checkMs = 500
/** A timer is late by less. */
const setMs = 1_000

/**
 * The current time in ms, updated often enough for "3 minutes ago", and when the clock is set.
 * @param changed  a change of this value updates it soon
 */
export function useNow(changed: unknown = null): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const update = () => setNowMs(Date.now())
    const soon = setTimeout(update)
    const stop = onTick(update)
    return () => {
      clearTimeout(soon)
      stop()
    }
  }, [changed])
  return nowMs
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
/** The clock at the last check, and the time since then that nobody can set. */
let checked = { clockMs: 0, steadyMs: 0 }
let tickedMs = 0

/** One timer for all. @returns a function that stops it */
function onTick(listener: () => void): () => void {
  if (listeners.size === 0) {
    checked = { clockMs: Date.now(), steadyMs: performance.now() }
    tickedMs = checked.steadyMs
    timer = setInterval(check, checkMs)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

function check(): void {
  const [clockMs, steadyMs] = [Date.now(), performance.now()]
  const passedMs = steadyMs - checked.steadyMs
  const wasSet = Math.abs(clockMs - checked.clockMs - passedMs) > setMs
  checked = { clockMs, steadyMs }
  if (!wasSet && steadyMs - tickedMs < refreshMs) return
  tickedMs = steadyMs
  for (const listener of listeners) listener()
}
