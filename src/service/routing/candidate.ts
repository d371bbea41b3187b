/** The values that a decision is made from, without functions, so that it can be replayed. */
import type { Capability, ParameterRules } from '../../shared/models/model-abilities.ts'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import type { RankParameters } from '../../shared/requests/detail.ts'
import type { EmbeddingFacts, ModelSpeed } from '../../shared/models/model-facts.ts'
import type { TokenPrice } from '../../shared/models/price.ts'
import type { RoutingSettings } from '../../shared/routers/routing-settings.ts'
import type { Contender } from './strategies/strategy.ts'
import type { PromptSize } from './prompt-size.ts'
import type { ModelEnergy } from '../catalog/energy.ts'

/** The ability assumed for a model before any of its answers was judged. */
export interface QualityPrior {
  /** Points on the scale of Arena's text leaderboard; `quality-scale.ts` converts them to probabilities. */
  points: number
  /** The number of judged answers that has the same weight. */
  strength: number
  /** Better or worse than rated, in logits, in the order of `topicNames`; null when no source has figures. */
  offsets: readonly number[] | null
  /** Source of the points: public ratings or the user, the model's price, or the default. */
  basis: 'rated' | 'price' | 'assumed'
}

/** A model of the router that may be able to answer. */
export interface Candidate {
  /** `<provider>:<model_name>` */
  modelId: string
  /** The model of the router's list that this one answers for; absent where that is the same. */
  replacedId?: string
  providerId: string
  /** Place in the router's list, from 0. */
  position: number
  price: TokenPrice
  /** Source of the price: `user`, or the catalogue's source and its date. */
  priceSource: { source: string; asOf: string | null }
  /** Null: unknown, which does not exclude the model. */
  contextTokens: number | null
  /** The vectors of a model that makes embeddings; null for others and when unknown. */
  embedding: EmbeddingFacts | null
  maxOutputTokens: number | null
  capabilities: readonly Capability[]
  /** Null when every parameter is sent unchanged, as for most models. */
  parameters: ParameterRules | null
  energy: ModelEnergy
  gridGramsPerKwh: number
  /** ISO 3166 three-letter code of the region where it runs; null when unknown. */
  region: string | null
  /** True if the model runs on this computer. */
  isLocal: boolean
  quality: QualityPrior
  /** Null when no source has figures. */
  speed: ModelSpeed | null
  /** Billed output tokens of an ordinary prompt, as a multiple of an answer without reasoning. */
  outputRatio: number
  /** The output ratio that the published speed includes: that of the provider's default effort. */
  timedOutputRatio: number
  /** Sent as `reasoning_effort`; null sends none, and the provider's default applies. */
  effort: string | null
  /** The same model at other reasoning efforts that one source rates; empty where there are none. */
  otherEfforts: readonly Candidate[]
}

/** Whether requests and cascades that name this model mean the candidate. */
export function isNamed({ modelId, replacedId }: Candidate, model: string): boolean {
  return modelId === model || replacedId === model
}

/** What the prompt is about. */
export interface PromptReading {
  /** Probability of each domain, in the order of `domainNames`; their sum is 1. */
  domains: readonly number[]
  /** Probability of each topic, in the order of `topicNames`. Everything learned is learned by topic. */
  topics: readonly number[]
  /** Confidence of the reading, 0 to 1. */
  confidence: number
  /** How much more likely a strong model is to answer it well than a weak one, -1 to 1. */
  gain: number
  /** How hard it is: a model of 1300 points answers it well with probability σ(−difficulty). */
  difficulty: number
}

/** A reading with the reason that a person is shown. */
export interface ExplainedReading extends PromptReading {
  /** Reasons why it is hard or easy, the strongest first; at most three. */
  difficultyReasons: readonly string[]
}

/** Whether a model's vendor will write the prompt to its cache, at the price of writing. */
export type WritesCache = (candidate: Candidate) => boolean

/** What the request needs from a model. */
export interface RoutingContext extends PromptSize {
  /** Least tokens of the longest input of embeddings, which are read one by one. Absent: the prompt is read whole. */
  longestInputTokens?: number
  /** `max_tokens`; null when the caller set none. */
  maxOutputTokens: number | null
  /** A model with shorter answers is also fit; absent: `maxOutputTokens` is a need. */
  takesShorter?: boolean
  /** Number of answers at once; absent: one. */
  choices?: number
  needs: readonly Capability[]
  isStreamed: boolean
  /** The caller's own `reasoning_effort`; null when the router may choose it. */
  effort: string | null
  /** Null when there is only one candidate. */
  reading: PromptReading | null
  /** The last answer of the conversation; null when there is no conversation to continue. */
  lastAnswer: LastAnswer | null
  /** Whether what is not in a cache yet will be written to it; absent: nothing is. */
  writesCache?: WritesCache
}

/** A prompt that a model read, which its vendor may still have in its cache. */
export interface CachedPrefix {
  modelId: string
  /** Estimated prompt tokens of the request it answered. */
  promptTokens: number
  /** Prompt tokens that the provider says are in its cache; null or absent where it caches unasked. */
  cachedTokens?: number | null
  /** The reasoning effort that the router chose for it; absent when that does not matter for the cache. */
  effort?: string | null
  /** How long the vendor keeps it; absent where that is not known. */
  lifetimeMs?: number | undefined
  /** The share of expected tokens that the model did read lately; absent for vendors that promise a lifetime. */
  readShare?: number | undefined
  ageMs: number
}

/** The last answer of a conversation. */
export interface LastAnswer extends CachedPrefix {
  /** Prefixes of other models, and of other efforts of the same; absent for none. */
  others?: readonly CachedPrefix[]
  /** Tokens of the conversation's shortest prompt: its tools and system prompt, which outlast a compaction. */
  leastPromptTokens?: number
}

/** Judged answers of a model by topic, in the order of `topicNames`, faded by age. */
export interface FeedbackCounts {
  good: readonly number[]
  bad: readonly number[]
  /** The sum of the judged prompts' difficulties, weighted as the counts are. */
  difficulty: readonly number[]
}

/** The latency of a model, from its measured answers and published figures. */
export interface LatencyKnowledge {
  /** Time to the first token of a short prompt. */
  firstTokenMs: number
  msPerPromptToken: number
  msPerToken: number
  /** The 95th percentile as a multiple of the median. */
  p95Ratio: number
  source: 'learned' | 'prior' | 'assumed'
  /** Measured answers of the form that the request asks for; 0 when they are too old to count. */
  answers: number
  /** How much of the times rests on them, 0 to 1. */
  measuredShare: number
}

/** What judged prompts say about a model. */
export interface ModelFit {
  /** Common and own part together, one coefficient for each feature. */
  coefficients: readonly number[]
  /** Judged answers, faded by age. */
  judged: number
  /** What is still uncertain, as `quality-doubt.ts` reads it; null without a judged answer. */
  covariance: Float64Array | null
}

/** What has been learned about a model, at the moment of the decision. */
export interface ModelKnowledge {
  feedback: FeedbackCounts | null
  /**
   * Fitted to this user's judged prompts, and added to the logit with every strategy: a constant, then by
   * domain, by topic, and a slope on the difficulty. Null without a fit.
   */
  own: ModelFit | null
  latency: LatencyKnowledge
  /** Natural logarithm of billed output tokens, in the order of `topicNames`. */
  lnOutputTokens: readonly number[]
  /** Natural logarithm of the length that one answer in ten exceeds, by the length that is expected. */
  lnP90: number
  /** The answers that the model's own part of these lengths was learned from. */
  lengthAnswers: number
  /** Requests in progress, as a share of the full load. */
  load: number
}

/** The router's settings that affect the decision. */
export interface RoutingPolicy extends Pick<
  RoutingSettings,
  'requires' | 'providers' | 'regions' | 'localOnly' | 'maxCostUsdPerRequest' | 'chooseEffort'
> {
  strategy: StrategyName
  parameters: RankParameters
}

/** A candidate with its estimate. */
export interface EstimatedCandidate extends Contender {
  candidate: Candidate
}

export interface RankedCandidate extends EstimatedCandidate {
  /** The measured answers that its lengths and times rest on at least. */
  answers: number
}

/** Why a candidate was left out, for the Why dialog and for the error when none is left. */
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
  | 'other_model'

export interface Decision {
  /** The candidates in the order in which they are tried. */
  ranked: readonly RankedCandidate[]
  excluded: readonly ExcludedCandidate[]
}
