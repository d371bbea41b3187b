/** The time limits of an attempt: the router's own, otherwise the defaults. */
import type { Router } from '../../../shared/entities.ts'
import { defaultTimeLimits, type TimeLimits } from '../../../shared/routers/time-limits.ts'

interface Merged {
  remote: TimeLimits
  local: TimeLimits
}

/** @param given  other defaults. @returns the merged limits, computed once per router object */
export function createTimeLimits(
  given: Partial<TimeLimits>,
): (router: Router, isLocal: boolean) => TimeLimits {
  const merged = new WeakMap<Router, Merged>()
  const defaults = { ...defaultTimeLimits, ...given }
  return (router, isLocal) => {
    const known = merged.get(router) ?? merge(defaults, router)
    merged.set(router, known)
    return isLocal ? known.local : known.remote
  }
}

function merge(defaults: TimeLimits, { timeLimits }: Router): Merged {
  const remote: TimeLimits = {
    connectMs: timeLimits.connectMs ?? defaults.connectMs,
    firstTokenMs: timeLimits.firstTokenMs ?? defaults.firstTokenMs,
    betweenChunksMs: timeLimits.betweenChunksMs ?? defaults.betweenChunksMs,
    totalMs: timeLimits.totalMs ?? defaults.totalMs,
  }
  // The local model has its own queue and supervises its process itself.
  return { remote, local: { ...remote, firstTokenMs: timeLimits.firstTokenMs ?? remote.totalMs } }
}
