import { useEffect } from 'react'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { loadTuningResult, useTuningResults, type OpenResult } from '../../stores/tuning.ts'

/**
 * The result of a run, loaded again whenever the run has ended; undefined while it loads. That of shadow samples is as it
 * was when the page was opened.
 */
export function useTuningResult({
  id,
  from,
  prompts,
  endedAtMs,
}: TuningRun): OpenResult | undefined {
  const version = from === 'shadow' ? prompts.graded > 0 : endedAtMs
  useEffect(() => {
    void loadTuningResult(id)
  }, [id, version])
  return useTuningResults((results) => results[id])
}
