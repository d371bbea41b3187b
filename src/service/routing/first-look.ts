/**
 * Sends a few requests to a model that hardly answered yet, when it would be the first choice if it were as good as it
 * may well be. Without it, a model that looks a little worse than it is would never be asked, and so never be known.
 */
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import type { FirstLook } from '../../shared/requests/detail.ts'
import type { Candidate, ModelKnowledge, RankedCandidate } from './candidate.ts'
import { order } from './order.ts'
import { estimated, type RankOptions } from './rank.ts'

/** A model with as many answers is known. */
export const knownAnswers = 3
/** Number of standard deviations that one value in ten exceeds. */
const deviations = 1.28
/** Variances of the logarithms of lengths and times, for a model without answers. */
const lengthVariance = 0.16
const latencyVariance = { unmeasured: 0.3, measured: 0.02 }
/** Number of answers that halves the variance of the lengths. */
const lengthAnswers = 5

export interface FirstLookResult {
  /** The model that is looked at comes first. */
  ranked: RankedCandidate[]
  look: FirstLook
}

export interface LookOptions extends RankOptions {
  /** Whether the router's share of looks and the earlier looks at the model allow another one. */
  mayLookAt(candidate: Candidate): boolean
}

/** @param ranked  of `rank`. @returns null for nearly all requests: the strategy's order holds */
export function firstLook(
  ranked: readonly RankedCandidate[],
  options: LookOptions,
): FirstLookResult | null {
  const { policy } = options
  const [first, ...others] = ranked
  if (!first || strategyProfiles[policy.strategy].keepsListOrder) return null
  // While the choice is unknown, asking it teaches as much.
  if (isLittleKnown(first) || !others.some(isLittleKnown)) return null
  const hopeful = ranked.map((one) =>
    isLittleKnown(one) && options.mayLookAt(one.candidate) ? atItsBest(one, options) : one,
  )
  const [best] = order(hopeful, policy.strategy, policy.parameters)
  const chosen = best && ranked[hopeful.indexOf(best)]
  if (!chosen || chosen === best) return null
  const { costNanoUsd, latencyMs, micrograms } = best.estimate
  const figures = { costNanoUsd, latencyMs, micrograms }
  return {
    ranked: [chosen, ...ranked.filter((one) => one !== chosen)],
    look: { insteadOf: first.model, answers: chosen.answers, ...figures },
  }
}

function isLittleKnown({ answers }: RankedCandidate): boolean {
  return answers < knownAnswers
}

function atItsBest({ candidate }: RankedCandidate, options: LookOptions): RankedCandidate {
  const known = optimistic(options.knowledgeOf(candidate))
  return estimated(candidate, { ...options, knowledgeOf: () => known })
}

/** Optimistic knowledge: the model is as short and fast as one model in ten. */
function optimistic(known: ModelKnowledge): ModelKnowledge {
  const { latency, lnOutputTokens } = known
  const lnShorter =
    deviations * Math.sqrt(lengthVariance / (1 + known.lengthAnswers / lengthAnswers))
  const { unmeasured, measured } = latencyVariance
  const lnFaster = deviations * Math.sqrt(unmeasured * (1 - latency.measuredShare) + measured)
  const faster = Math.exp(-lnFaster)
  return {
    ...known,
    lnOutputTokens: lnOutputTokens.map((ln) => ln - lnShorter),
    latency: {
      ...latency,
      firstTokenMs: latency.firstTokenMs * faster,
      msPerToken: latency.msPerToken * faster,
      // What is only assumed comes last, however fast it may be.
      source: latency.source === 'assumed' ? 'prior' : latency.source,
    },
  }
}
