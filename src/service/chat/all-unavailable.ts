/** The 503 of a request that no model could answer: each model, its cause, and when to come back. */
import { ServiceError } from '../errors.ts'
import type { ProviderError } from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { AttemptsOptions } from './attempts.ts'
import type { Standing } from './breaker.ts'

export interface Failure {
  candidate: Candidate
  error: ProviderError
}

type Known = Pick<AttemptsOptions, 'candidates' | 'outageOf' | 'deployments'>

/** When nobody can say: the user has to act first. */
const unknownWaitMs = 30_000

/** @param failures  the attempts made; without any, the caller's SDK may retry */
export function allUnavailable(failures: readonly Failure[], known: Known): ServiceError {
  const waits = known.candidates.flatMap((candidate) => {
    const named = failures.find((failure) => failure.candidate === candidate)?.error.retryAfterMs
    const waitMs = waitOf(candidate, known)
    return waitMs === null ? [] : [Math.max(waitMs, named ?? 0)]
  })
  const waitMs = waits.length === 0 ? unknownWaitMs : Math.min(...waits)
  const mayRetry = failures.length === 0 && waits.length > 0
  return new ServiceError(
    'all_models_unavailable',
    `No model of this router could answer. ${causes(failures, known).join('; ')}.`,
    {
      headers: {
        'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
        ...(mayRetry ? {} : { 'x-should-retry': 'false' }),
      },
    },
  )
}

/** Null when time alone will not help. */
function waitOf(candidate: Candidate, known: Known): number | null {
  if (known.outageOf(candidate)) return null
  const standing = known.deployments.standing(candidate.modelId)
  return standing.kind === 'ready' ? 0 : standing.waitMs
}

function causes(failures: readonly Failure[], known: Known): string[] {
  const tried = failures.map(({ candidate, error }) => `${candidate.modelId}: ${error.message}`)
  const untried = known.candidates
    .filter((candidate) => !failures.some((failure) => failure.candidate === candidate))
    .map((candidate) => `${candidate.modelId}: ${causeOf(candidate, known)}`)
  return [...tried, ...untried]
}

function causeOf(candidate: Candidate, known: Known): string {
  return (
    known.outageOf(candidate)?.message ?? wordsFor(known.deployments.standing(candidate.modelId))
  )
}

function wordsFor(standing: Standing): string {
  switch (standing.kind) {
    case 'ready':
      return 'not asked, too many requests are being retried just now'
    case 'open':
      return `not asked, it failed too often (again in ${seconds(standing.waitMs)} s)`
    case 'probing':
      return 'not asked, another request is just trying whether it works again'
    case 'cooling':
      return `not asked, it limits the rate of requests (again in ${seconds(standing.waitMs)} s)`
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
