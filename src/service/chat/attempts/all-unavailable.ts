/** The answer to a request that no model could answer: a 503 with each model, its cause, and when to retry. */
import { ServiceError } from '../../errors.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { AttemptsOptions, Availability } from './attempts-options.ts'
import type { Standing } from './breaker.ts'

export interface Failure {
  candidate: Candidate
  error: ProviderError
}

interface FailureContext extends Pick<AttemptsOptions, 'candidates'>, Availability {
  /** Candidates not tried because the budget does not cover their attempts. */
  unaffordable?: ReadonlySet<Candidate>
}

/**
 * Asks SDKs not to retry after several models failed, because their attempts would multiply ours, and when another try
 * cannot help. After rate limits alone they may: a limited model is not asked before its time. Tools that do not obey
 * repeat every 503 and wait in silence, so when only the user can help the wait is the shortest.
 * @param failures  the last one of each model that was tried
 */
export function allUnavailable(
  failures: readonly Failure[],
  options: FailureContext,
): ServiceError {
  const waits = options.candidates.flatMap((candidate) => {
    const error = failures.find((failure) => failure.candidate === candidate)?.error
    const waitMs = error?.mayPass === false ? null : waitOf(candidate, options)
    return waitMs === null ? [] : [Math.max(waitMs, error?.retryAfterMs ?? 0)]
  })
  const isLasting = waits.length === 0
  const waitMs = isLasting ? 0 : Math.min(...waits)
  const isLimited = failures.every(({ error }) => error.kind === 'rate_limit')
  const mayRetry = (failures.length <= 1 || isLimited) && !isLasting
  const [first, ...others] = failures
  return new ServiceError(
    'all_models_unavailable',
    `No model of this router could answer. ${causes(failures, options).join('; ')}.`,
    {
      cause: new AggregateError(failures.map(({ error }) => error)),
      isLasting,
      headers: {
        ...(others.length === 0 ? first?.error.headers : {}),
        'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
        ...(mayRetry ? {} : { 'x-should-retry': 'false' }),
      },
    },
  )
}

/** @returns null when time alone will not help */
function waitOf(candidate: Candidate, options: FailureContext): number | null {
  if (options.upstreams.outageOf(candidate)) return null
  const standing = options.deployments.standing(candidate.modelId)
  return standing.kind === 'ready' ? 0 : standing.waitMs
}

/** One reason that several models of a provider have is said once. */
function causes(failures: readonly Failure[], options: FailureContext): string[] {
  const tried = failures.map(({ candidate, error }) => ({ candidate, cause: error.message }))
  const untried = options.candidates
    .filter((candidate) => !failures.some((failure) => failure.candidate === candidate))
    .map((candidate) => {
      const isAffordable = options.unaffordable?.has(candidate) !== true
      const cause = isAffordable ? causeOf(candidate, options) : overBudget
      return { candidate, cause }
    })
  const groups = Map.groupBy([...tried, ...untried], ({ candidate, cause }) =>
    JSON.stringify([candidate.providerId, cause]),
  )
  return [...groups.values()].map((group) => {
    const models = group.map(({ candidate }) => candidate.modelId).join(', ')
    // Some causes are sentences; they become parts of one.
    return `${models}: ${group[0]?.cause.replace(/\.$/, '')}`
  })
}

const overBudget = 'not tried, because the budget does not cover another attempt'

/** Why a candidate is not tried, for users. */
export function causeOf(candidate: Candidate, options: Availability): string {
  return (
    options.upstreams.outageOf(candidate)?.message ??
    wordsFor(options.deployments.standing(candidate.modelId))
  )
}

function wordsFor(standing: Standing): string {
  switch (standing.kind) {
    case 'ready':
      return 'not tried, because too many requests are being retried now'
    case 'open':
      return `not tried, because it failed too often (next try in ${seconds(standing.waitMs)} s)`
    case 'probing':
      return 'not tried, because another request is testing whether it works again'
    case 'cooling':
      return `not tried, because it is rate limiting (next try in ${seconds(standing.waitMs)} s)`
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}

/** What the providers themselves said about a failure beside its message, one line for each; null when it is all. */
export function upstreamWords({ cause, message }: ServiceError): string | null {
  const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  const words = errors.flatMap((error) =>
    error instanceof ProviderError && error.upstreamMessage !== null ? error.upstreamMessage : [],
  )
  const own = words.filter((text) => !message.includes(text))
  return own.length === 0 ? null : own.join('\n')
}
