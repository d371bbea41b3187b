/** What a decision is made from: values only, so that it can be replayed. */
import type { Domain } from '../../shared/domains.ts'
import type { Capability, ParameterRules } from '../../shared/model-abilities.ts'
import type { TokenPrice } from '../catalog/cost.ts'

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

/** How long a model takes before anything was seen of it here. */
export interface LatencyPrior {
  firstTokenMs: number
  msPerToken: number
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
  /** Watt-hours per thousand output tokens; null where the model's size is unknown. */
  energyWhPerKtok: number | null
  gridGramsPerKwh: number
  /** ISO 3166 three-letter code of where it runs; null where nobody says. */
  region: string | null
  /** On this computer. */
  isLocal: boolean
  quality: QualityPrior
  /** Null where no source has figures. */
  latency: LatencyPrior | null
}

/** What the request asks of a model. */
export interface RoutingContext {
  /** Estimated. */
  promptTokens: number
  /** `max_tokens`, or null where the caller set none. */
  maxOutputTokens: number | null
  needs: readonly Capability[]
}

export interface RankedCandidate {
  candidate: Candidate
  /** Why it stands here, for a person. */
  reason: string
}

/** Why a candidate was left out, for a person and for the error when none is left. */
export interface ExcludedCandidate {
  candidate: Candidate
  code: 'lacks_capability' | 'context_too_small' | 'output_too_small'
  reason: string
}

export interface Decision {
  /** First is tried first, the rest in this order. */
  ranked: readonly RankedCandidate[]
  excluded: readonly ExcludedCandidate[]
}
