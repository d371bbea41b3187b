import { useEffect } from 'react'
import { useTuningRuns } from '../../stores/tuning.ts'
import { isUnderWay } from './run-words.ts'

/** Runs of the command line send no events to this window. */
const rereadMs = 2_000

/** Reads the list again and again while a run is under way. */
export function useFreshRuns(): void {
  const hasRunning = useTuningRuns(({ items }) => items?.some(isUnderWay) ?? false)
  useEffect(() => {
    if (!hasRunning) return
    const timer = setInterval(() => void useTuningRuns.getState().load(), rereadMs)
    return () => clearInterval(timer)
  }, [hasRunning])
}
