/** What a decision is made from: values only, so that it can be replayed. */
import type { Domain } from '../../shared/domains.ts'
import type { Capability, ParameterRules } from '../../shared/model-abilities.ts'
import type { StrategyName } from '../../shared/strategies.ts'
import type { RankParameters } from '../../shared/request-detail.ts'
import type { ModelPace } from '../../shared/model-facts.ts'
import type { TokenPrice } from '../../shared/price.ts'
import type { RoutingSettings } from '../../shared/routing-settings.ts'
import type { Contender } from './strategies/strategy.ts'
import type { ModelEnergy } from '../catalog/energy.ts'

/** What is known of a model before anybody here judged an answer of it. */
export interface QualityPrior {
  /** Chance that its answer is acceptable, 0 to 1, over all kinds of prompts. */
  mean: number
  /** How many judged answers it is worth. */
  strength: number
  /** Where a source tells the kinds apart. */
  byDomain: Readonly<Partial<Record<Domain, number>>>
  /** False: nobody measured it, the mean is the neutral one. */
  isKnown: boolean
}

/** A model of the router that could answer. */
export interface Candidate {
  /** `<provider>:<model_name>` */
  modelId: string
  providerId: string
  /** Place in the router's list, from 0. */
  position: number
  price: TokenPrice
  /** Where the price is from: `user`, or the catalogue's source with its date. */
  priceSource: { source: string; asOf: string | null }
  /** Null: unknown, and then no reason to leave the model out. */
  contextTokens: number | null
  maxOutputTokens: number | null
  capabilities: readonly Capability[]
  /** Null where every parameter goes out as it came: most models. */
  parameters: ParameterRules | null
  energy: ModelEnergy
  gridGramsPerKwh: number
  /** ISO 3166 three-letter code of where it runs; null where nobody says. */
  region: string | null
  /** On this computer. */
  isLocal: boolean
  quality: QualityPrior
  /** Null where no source has figures. */
  latency: ModelPace | null
}

/** What the prompt says of itself. */
export interface PromptReading {
  /** Probability of each kind, in the order of `domainNames`; they sum up to 1. */
  domains: readonly number[]
  /** The same in finer parts, in the order of `topicNames`: what is learnt is learnt by these. */
  topics: readonly number[]
  /** How sure that is, 0 to 1. */
  confidence: number
  /** How much likelier a strong model is to answer it well than a weak one, -1 to 1. */
  gain: number
}

/** What the request asks of a model. */
export interface RoutingContext {
  /** Estimated. */
  promptTokens: number
  /** `max_tokens`, or null where the caller set none. */
  maxOutputTokens: number | null
  needs: readonly Capability[]
  isStreamed: boolean
  /** Null where there is nothing to compare. */
  reading: PromptReading | null
  /** The last answer of the conversation; null when there is no conversation to continue. */
  lastAnswer: LastAnswer | null
}

/** The last answer of a conversation. */
export interface LastAnswer {
  modelId: string
  /** Estimated, of the prompt it answered. */
  promptTokens: number
  ageMs: number
}

/** Judged answers of a model, in the order of `topicNames`: the good, the others; faded by age. */
export interface FeedbackCounts {
  good: readonly number[]
  bad: readonly number[]
}

/** How quick a model is, from its answers here and what was published. */
export interface LatencyKnowledge {
  /** Of a short prompt. */
  firstTokenMs: number
  msPerPromptToken: number
  msPerToken: number
  /** The slow one in twenty, as a multiple of the usual. */
  p95Ratio: number
  source: 'learned' | 'prior' | 'assumed'
}

/** What was learnt of a model, as it was at the moment of the decision. */
export interface ModelKnowledge {
  feedback: FeedbackCounts | null
  latency: LatencyKnowledge
  /** Natural logarithm of billed output tokens, in the order of `topicNames`. */
  lnOutputTokens: readonly number[]
  /** Requests under way, as a share of what it takes at once. */
  load: number
}

/** A router's say in the decision. */
export interface RoutingPolicy extends Pick<
  RoutingSettings,
  'requires' | 'providers' | 'regions' | 'localOnly' | 'maxCostUsdPerRequest'
> {
  strategy: StrategyName
  parameters: RankParameters
}

/** A candidate with what it is expected to do. */
export interface EstimatedCandidate extends Contender {
  candidate: Candidate
}

/** Why a candidate was left out, for a person and for the error when none is left. */
export interface ExcludedCandidate extends EstimatedCandidate {
  code: ExclusionCode
  reason: string
}

export type ExclusionCode =
  | 'provider_excluded'
  | 'region_excluded'
  | 'not_local'
  | 'lacks_capability'
  | 'context_too_small'
  | 'output_too_small'
  | 'over_cost_cap'

export interface Decision {
  /** First is tried first, the rest in this order. */
  ranked: readonly EstimatedCandidate[]
  excluded: readonly ExcludedCandidate[]
}
