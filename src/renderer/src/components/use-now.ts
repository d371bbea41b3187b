import { useEffect, useState } from 'react'

const refreshMs = 30_000

/** The current time in ms, updated often enough for "3 minutes ago". */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), refreshMs)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
