/** Whether an answer came from another model than the router's first choice, because that one failed or was skipped. */
import type { Fallback, FallbackReason } from '../../../shared/routers/fallback-record.ts'
import type { ProviderError, ProviderErrorKind } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { Availability } from './attempts-options.ts'

/** How a model's attempt failed; null when it did not. */
export type AttemptOutcome = ProviderErrorKind | 'context_too_small' | 'unsupported' | null

/** Outcome of each model that was tried. */
export type AttemptOutcomes = ReadonlyMap<string, AttemptOutcome>

export function outcomeOf({ kind, isTooLong, isUnsent }: ProviderError): AttemptOutcome {
  if (isUnsent) return 'unsupported'
  return isTooLong ? 'context_too_small' : kind
}

/**
 * @param preferred  in the order in which they should answer
 * @returns null when no model before the answering one failed: the router chose it, or it won a hedge
 */
export function fallbackOf(
  answering: Candidate,
  preferred: readonly Candidate[],
  options: Availability & { outcomes: AttemptOutcomes },
): Fallback | null {
  for (const candidate of preferred) {
    if (candidate.modelId === answering.modelId) return null
    const reason = reasonOf(candidate, options)
    if (reason !== null) return { from: candidate.modelId, reason }
  }
  return null
}

function reasonOf(
  candidate: Candidate,
  { upstreams, deployments, outcomes }: Availability & { outcomes: AttemptOutcomes },
): FallbackReason | null {
  const failure = outcomes.get(candidate.modelId)
  const kind = failure === undefined ? upstreams.outageOf(candidate)?.kind : failure
  // A request that the upstream refused is not sent to another model.
  if (kind === 'request') return null
  if (kind !== undefined) return kind
  const standing = deployments.standing(candidate.modelId)
  if (standing.kind === 'ready') return null
  return standing.kind === 'cooling' ? 'rate_limit' : 'paused'
}
