import type { TuningRun, TuningState, TuningStop } from '../../shared/tuning/tuning-run.ts'
import type { AppliesTo } from '../../shared/tuning/tuning.ts'
import type { StoredTuningRun } from '../storage/tuning-run-store.ts'
import { runSetupSchema } from './tuning-outcome.ts'

interface RunFacts {
  routerName: string | undefined
  /** Absent for all routers. */
  appliesTo: AppliesTo | undefined
  nowMs: number
}

/** A stored run as people see it. */
export function toTuningRun(
  stored: StoredTuningRun,
  { routerName, appliesTo = 'all', nowMs }: RunFacts,
): TuningRun {
  const { from, fileName, judge, models } = runSetupSchema.parse(JSON.parse(stored.setup))
  const { capNanoUsd, spentNanoUsd, reservedNanoUsd } = stored
  const state = stateOf(stored, nowMs)
  return {
    id: stored.id,
    routerId: stored.routerId,
    routerName: routerName ?? stored.routerId,
    from,
    fileName,
    state,
    // Checked boundary: only `RunningRun` writes this column.
    stoppedBy: stored.stoppedBy as TuningStop | null,
    message: stored.message,
    createdAtMs: stored.createdAtMs,
    endedAtMs: stored.endedAtMs,
    judge,
    models,
    appliesTo,
    prompts: stored.prompts,
    requests: stored.requests,
    capUsd: capNanoUsd / 1e9,
    spentUsd: spentNanoUsd / 1e9,
    reservedUsd: reservedNanoUsd / 1e9,
    leftUsd: Math.max(0, capNanoUsd - spentNanoUsd - reservedNanoUsd) / 1e9,
    leftMs: state === 'running' ? leftMs(stored, nowMs) : null,
  }
}

function stateOf(stored: StoredTuningRun, nowMs: number): TuningState {
  const { state, isStopWanted, leaseExpiresAtMs } = stored
  if (state !== 'running') return state
  if (leaseExpiresAtMs <= nowMs) return 'interrupted'
  return isStopWanted ? 'stopping' : 'running'
}

/** Time left at the speed since the run began or was resumed. */
function leftMs(stored: StoredTuningRun, nowMs: number): number | null {
  const { total, graded, ungraded } = stored.prompts
  const ended = graded + ungraded
  const endedNow = ended - stored.endedBeforeResume
  if (endedNow <= 0) return null
  return Math.round(((nowMs - stored.resumedAtMs) / endedNow) * (total - ended))
}
