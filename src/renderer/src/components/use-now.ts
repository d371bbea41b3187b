import { useEffect, useState } from 'react'
import { onTick, readClock } from '../stores/clock.ts'

/**
 * The current time in ms, updated often enough for "3 minutes ago", and when the clock is set.
 * @param changed  a change of this value updates it soon
 */
export function useNow(changed: unknown = null): number {
  const [nowMs, setNowMs] = useState(readClock)
  useEffect(() => {
    const update = () => setNowMs(readClock())
    const soon = setTimeout(update)
    const stop = onTick(update)
    return () => {
      clearTimeout(soon)
      stop()
    }
  }, [changed])
  return nowMs
}
