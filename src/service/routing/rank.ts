/** Estimates the candidates, leaves out those that cannot or may not answer, and orders the rest. */
import { strategyProfiles } from '../../shared/strategies.ts'
import type {
  Candidate,
  Decision,
  EstimatedCandidate,
  ExcludedCandidate,
  ModelKnowledge,
  RoutingContext,
  RoutingPolicy,
} from './candidate.ts'
import { whyExcluded } from './constraints.ts'
import { estimate } from './estimate.ts'
import { order } from './order.ts'

export interface RankOptions {
  /** What has been learned about a candidate so far. */
  knowledgeOf(candidate: Candidate): ModelKnowledge
  context: RoutingContext
  policy: RoutingPolicy
}

export function rank(
  candidates: readonly Candidate[],
  { knowledgeOf, context, policy }: RankOptions,
): Decision {
  const excluded: ExcludedCandidate[] = []
  const able: EstimatedCandidate[] = []
  const { strategy, parameters } = policy
  const { learnsFromFeedback } = strategyProfiles[strategy]
  for (const candidate of candidates) {
    const known = knowledgeOf(candidate)
    // Feedback counts only where the user chose a strategy that learns from it.
    const counted = learnsFromFeedback ? known : { ...known, feedback: null }
    const one = {
      model: candidate.modelId,
      position: candidate.position,
      estimate: estimate(candidate, counted, context),
      candidate,
    }
    const exclusion = whyExcluded(one, context, policy)
    if (exclusion) excluded.push({ ...one, ...exclusion })
    else able.push(one)
  }
  return { ranked: order(able, strategy, parameters), excluded }
}
