import { useEffect } from 'react'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { useTuningRuns } from '../../stores/tuning.ts'
import { isUnderWay } from './run-words.ts'

/** Runs of the command line send no events to this window. */
const rereadMs = 2_000

/** Reads the list again and again while a run is under way or a router samples. */
export function useFreshRuns(): void {
  const hasRunning = useTuningRuns(({ items }) => items?.some(isChanging) ?? false)
  useEffect(() => {
    if (!hasRunning) return
    const timer = setInterval(() => void useTuningRuns.getState().load(), rereadMs)
    return () => clearInterval(timer)
  }, [hasRunning])
}

function isChanging(run: TuningRun): boolean {
  return isUnderWay(run) || run.state === 'sampling'
}
