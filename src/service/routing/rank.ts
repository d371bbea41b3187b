/** Estimates the candidates, leaves out those that cannot or may not answer, and orders the rest. */
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import type {
  Candidate,
  Decision,
  EstimatedCandidate,
  RankedCandidate,
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

/** A model appears once for each reasoning effort that competes. Which one is tried is the first in the order. */
export function rank(candidates: readonly Candidate[], options: RankOptions): Decision {
  const { context, policy } = options
  const excluded: ExcludedCandidate[] = []
  const able: RankedCandidate[] = []
  for (const candidate of candidates) {
    const own = ownEffort(candidate, context)
    const one = estimated(own, options)
    const exclusion = whyExcluded(one, context, policy)
    if (exclusion) excluded.push({ ...one, ...exclusion })
    else able.push(one)
    if (!mayChooseEffort(context, policy)) continue
    for (const other of own.otherEfforts) {
      const atEffort = estimated(other, options)
      const canAnswer = whyExcluded(atEffort, context, policy) === null
      if (canAnswer && !isCutOff(atEffort, context)) able.push(atEffort)
    }
  }
  // A model with an effort that can answer is not excluded.
  const isAble = ({ model }: ExcludedCandidate) => able.some((one) => one.model === model)
  return {
    ranked: order(able, policy.strategy, policy.parameters),
    excluded: excluded.filter((one) => !isAble(one)),
  }
}

/** Each model once, at the effort that comes first: the order in which models are tried. */
export function oncePerModel<One extends { model: string }>(ranked: readonly One[]): One[] {
  const models = new Set<string>()
  return ranked.filter(({ model }) => {
    const isFirst = !models.has(model)
    models.add(model)
    return isFirst
  })
}

/** The candidate at the effort that the caller sends, where it is rated. */
function ownEffort(candidate: Candidate, { effort }: RoutingContext): Candidate {
  if (effort === null) return candidate
  return candidate.otherEfforts.find((other) => other.effort === effort) ?? candidate
}

export function mayChooseEffort({ effort }: RoutingContext, policy: RoutingPolicy): boolean {
  return effort === null && policy.chooseEffort && !strategyProfiles[policy.strategy].keepsListOrder
}

export function estimated(
  candidate: Candidate,
  { knowledgeOf, context, policy }: RankOptions,
): RankedCandidate {
  const known = knowledgeOf(candidate)
  const { learnsFromFeedback } = strategyProfiles[policy.strategy]
  // Feedback counts only where the user chose a strategy that learns from it.
  const counted = learnsFromFeedback ? known : { ...known, feedback: null }
  const { modelId: model, position, effort } = candidate
  const answers = Math.min(known.lengthAnswers, known.latency.answers)
  const expected = estimate(candidate, counted, context)
  const one = { model, position, estimate: expected, candidate, answers }
  return effort === null ? one : { ...one, effort }
}

/** Whether the answer would be cut off at the caller's limit, towards which its reasoning counts. */
function isCutOff(
  { estimate: expected }: EstimatedCandidate,
  { maxOutputTokens, choices = 1 }: RoutingContext,
): boolean {
  return maxOutputTokens !== null && expected.outputTokens >= choices * maxOutputTokens
}
