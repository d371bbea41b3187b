import { useEffect, useState } from 'react'

const refreshMs = 30_000

/**
 * The current time in ms, updated often enough for "3 minutes ago".
 * @param changed  a change of this value updates it soon
 */
export function useNow(changed: unknown = null): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const update = () => setNowMs(Date.now())
    const soon = setTimeout(update)
    const timer = setInterval(update, refreshMs)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
    }
  }, [changed])
  return nowMs
}
