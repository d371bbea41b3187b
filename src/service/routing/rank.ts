/** The decision: what each candidate is expected to do, who is left out, and in which order the rest is tried. */
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
  /** What was learnt of a candidate, as it is at this moment. */
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
