/**
 * `_meta.decision`: why a request was answered as it was. It is sent when the client has `explain`, or its key.
 * Names from a list that grows with Modelport, such as topics, are strings. Times are milliseconds.
 */

/** Expected figures of a model for the request. The numbers are exactly those that were compared. */
export interface Estimate {
  /** Probability of an acceptable answer, in ten-thousandths, and the half-width of its 90 % interval. */
  quality: number
  qualityHalfWidth: number
  /**
   * `prior`: published figures; `learned`: feedback given here; `blend`: both; `price`: of a model that no source
   * rates, its price; `assumed`: the default of such a model that is free.
   */
  qualitySource: string
  outputTokens: number
  /** Nano-dollars, 10⁻⁹ US dollars. */
  costNanoUsd: number
  /** The prompt's part of the cost. */
  promptNanoUsd: number
  /** The cost with a long answer: only one answer in ten is longer. */
  costP90NanoUsd: number
  /** Time to the first readable text of a stream, or to the end of a whole answer. */
  latencyMs: number
  latencyP95Ms: number
  /** `learned`: measured here; `prior`: published; `assumed`: the default for unmeasured models. */
  latencySource: string
  /** Micrograms of CO2e. */
  lowMicrograms: number
  micrograms: number
  highMicrograms: number
  carbonMethod: string
  /** Expectation by ratings alone, and the share that it still counts; absent where it has no effect. */
  rated?: { quality: number; qualityHalfWidth: number; share: number } | undefined
}

/** A model that could answer. */
export interface RankedModel {
  /** `<provider>:<model_name>` */
  model: string
  /** The reasoning effort that the router chose; absent where it sends none. */
  effort?: string | undefined
  /** Position in the router's list, from 0. */
  position: number
  /** Set when something other than the strategy decided the position. */
  reason: string | null
  estimate: Estimate | null
}

/** A model that could not answer, with the reason as a code and in words. */
export interface ExcludedModel extends Omit<RankedModel, 'reason'> {
  code: string
  reason: string
}

/** One request to a model. */
export interface Attempt {
  model: string
  /** Milliseconds from the request's start. */
  startedMs: number
  tookMs: number
  /** `answered`, `accepted`, `not_accepted`, `aborted`, `lost`, or the kind of the provider's failure. */
  outcome: string
  /** The provider's HTTP status, if it sent one. */
  status: number | null
  message: string | null
}

/** The decision of a router. */
export interface RouterDecisionRecord {
  /** Why the first of `ranked` is first, in words. */
  why: string
  /** The smallest change that would have put another model first; null when there is none. */
  flip: string | null
  strategy: string
  /** Estimated before the request was sent. */
  promptTokens: number
  /** `max_tokens` of the request. */
  maxOutputTokens: number | null
  isStreamed: boolean
  /** Capabilities that the request requires, such as `tools`. */
  needs: string[]
  /** The strategy's parameters; null when nothing was compared. */
  parameters: {
    qualityTolerance: number
    /** No prompt may lose more quality than is allowed on the mean. */
    limitEachPrompt: boolean
    /** The account of allowed loss that decided; null where none did. */
    account: { choices: number; qualityPerMeanCost: number; meanCostUsd: number | null } | null
    weights: { cost: number; latency: number; carbon: number }
    latencyPercentile: number
    qualityPerUsd: number
  } | null
  /** Reading of the prompt: each kind and topic with its probability. */
  reading: {
    domains: [name: string, probability: number][]
    topics: [name: string, probability: number][]
    confidence: number
    difficulty: number
    difficultyReasons: string[]
  } | null
  /** The models in the order in which they are tried. */
  ranked: RankedModel[]
  excluded: ExcludedModel[]
  /** Why the conversation stayed with its model; null when it did not. */
  kept: string | null
  /** The probability of a random choice; null when the strategy chose. */
  drawnWith: number | null
  /** The tiers of a cascade, tried before `ranked`; absent for a router without one. */
  cascade?:
    | { models: string[]; accept: string; outcome: string; reason: string | null }[]
    | undefined
  /** Part of the prompt in the cache of the conversation's model; absent when nothing was cached. */
  warmCache?: { model: string; tokens: number; worthNanoUsd: number } | undefined
  /** Sent to the first model to learn how it answers: what it may well take. Absent for nearly all requests. */
  look?:
    | {
        insteadOf: string
        answers: number
        costNanoUsd: number
        latencyMs: number
        micrograms: number
      }
    | undefined
  /** Why a coding agent's session left its model, or could not; absent where no rule wanted that. */
  change?:
    | {
        rule: string
        from?: string | undefined
        mark?: string | undefined
        first?: string | undefined
        sums?:
          | { steps: number; savedNanoUsd: number; fillNanoUsd: number; lostNanoUsd: number }
          | undefined
        forbidden?: string | undefined
      }
    | undefined
  /** Parameters that were changed or left out for the model of the last attempt. */
  adjusted: { parameter: string; change: string; reason: string }[]
  /** The caller's `user-agent`. */
  client: string | null
  /** `reported` by the provider, `estimated`, or `none` without an answer. */
  tokenSource: string
  /** Classes that do not overlap; null when the provider does not report one. */
  tokens: {
    input: number
    cacheRead: number | null
    cacheWrite: number | null
    output: number
    reasoning: number | null
  }
  /** US dollars per million tokens, and the source of the price. */
  price: {
    inputUsdPerMtok: number
    outputUsdPerMtok: number
    cacheReadUsdPerMtok: number | null
    cacheWriteUsdPerMtok: number | null
    source: string
    asOf: string | null
  } | null
  /** The bounds around `carbonGrams`. */
  carbon: { lowGrams: number; highGrams: number; method: string } | null
  attempts: Attempt[]
  /** Signals that the answer gave by itself, such as a refusal. */
  signals: { name: string; model: string; label: number; weight: number }[]
}

/** The steps of an agent's execution. */
export interface AgentDecisionRecord {
  agent: string
  version: number
  steps: readonly {
    /** Id of the step; in a called agent it starts with the calling step's id: `outer/inner`. */
    stepId: string
    type: string
    /** `done`, `skipped`, `fallback`, `failed` or `cancelled`. */
    outcome: string
    /** Milliseconds from the start of the execution. */
    startedMs: number
    tookMs: number
  }[]
  /** The requests to models; each is in Modelport's list of requests under its id. */
  requests: readonly {
    id: string
    stepId: string
    modelUsed: string | null
    status: number
    latencyMs: number
    /** US dollars. */
    cost: number
  }[]
}
