/** The details that the ledger stores about a request besides its row, in the form that callers can request. */
import { z } from 'zod'
import type { RouterMeta } from '../chat/chat.ts'
import { strategyNames } from '../routers/strategy-names.ts'
import { domainNames } from '../app/domains.ts'
import type { ToolCallRecord } from '../chat/tools.ts'
import type { RequestRecord } from '../entities.ts'
import { adjustmentSchema, capabilityNames } from '../models/model-abilities.ts'
import { acceptances } from '../routers/routing-settings.ts'
import { sessionChangeSchema } from './session-change.ts'
import { signalRecordSchema } from './signals.ts'
import { topicNames } from '../routers/topics.ts'

/** One attempt. */
const attemptRecordSchema = z.strictObject({
  model: z.string(),
  /** Milliseconds from the request's start. */
  startedMs: z.number(),
  tookMs: z.number(),
  /**
   * `answered`; in a cascade `accepted` or `not_accepted`; `aborted` by the caller; `lost` when it was cut off
   * because another attempt answered first; or the kind of the provider's failure.
   */
  outcome: z.string(),
  /** The upstream's HTTP status, if it sent one. */
  status: z.int().nullable(),
  /** The failure's message without secrets, or why an answer was not accepted. */
  message: z.string().nullable(),
})
export type AttemptRecord = z.infer<typeof attemptRecordSchema>

/**
 * The expected figures of a model for a request. They are whole numbers, because exactly these numbers were
 * compared: ranking them again gives the same order.
 */
export const estimateSchema = z.strictObject({
  /** Probability of an acceptable answer, in ten-thousandths, and the half-width of its 90 % interval. */
  quality: z.number(),
  qualityHalfWidth: z.number(),
  /**
   * The basis: published figures alone, these with the feedback given here, or mostly the feedback. Of a model that
   * no source rates: its price, or the default of free models.
   */
  qualitySource: z.enum(['prior', 'blend', 'learned', 'price', 'assumed']),
  outputTokens: z.int(),
  costNanoUsd: z.int(),
  /** The prompt's part of the cost. */
  promptNanoUsd: z.int(),
  /** The cost with a long answer: only one answer in ten is longer. */
  costP90NanoUsd: z.int(),
  /** Time to the first readable text of a stream, or to the end of a whole answer. */
  latencyMs: z.int(),
  latencyP95Ms: z.int(),
  /** Measured by Modelport, published, or the default for unmeasured models. */
  latencySource: z.enum(['learned', 'prior', 'assumed']),
  /** Micrograms of CO2e, with the bounds around them. */
  lowMicrograms: z.int(),
  micrograms: z.int(),
  highMicrograms: z.int(),
  carbonMethod: z.enum(['modelled', 'unknown']),
  /**
   * Expectation by ratings alone, and the share that it still counts, because fewer than a hundred answers of the model
   * were judged. Absent where judged prompts have no effect, or count fully.
   */
  rated: z
    .strictObject({ quality: z.number(), qualityHalfWidth: z.number(), share: z.number() })
    .optional(),
})
export type Estimate = z.infer<typeof estimateSchema>

/** Account of a router's allowed loss of quality, as a price, before the choice it was recorded with. */
const lossAccountSchema = z.strictObject({
  /** Choices so far. */
  choices: z.int(),
  /** Expected quality that may be lost to save the mean cost of the best models. */
  qualityPerMeanCost: z.number(),
  /** Null before the first choice. */
  meanCostUsd: z.number().nullable(),
})
export type LossAccount = z.infer<typeof lossAccountSchema>

/** The strategy's parameters that were in force. */
export const rankParametersSchema = z.strictObject({
  /** 0 where something else decides. */
  qualityTolerance: z.number(),
  /** No prompt may lose more than the account allows on the mean. */
  limitEachPrompt: z.boolean(),
  /** Null for strategies without an account, and with a tolerance of the router's own. */
  account: lossAccountSchema.nullable(),
  weights: z.strictObject({ cost: z.number(), latency: z.number(), carbon: z.number() }),
  latencyPercentile: z.union([z.literal(50), z.literal(95)]),
  /** The quality that each US dollar of cost takes away while the budget is paced; otherwise 0. */
  qualityPerUsd: z.number(),
})
export type RankParameters = z.infer<typeof rankParametersSchema>

/** Reading of the prompt, in numbers. */
const readingRecordSchema = z.strictObject({
  /** The prompt's most likely kinds with their probabilities, at most three. */
  domains: z.array(z.tuple([z.enum(domainNames), z.number()])),
  /** The same by topic, which learning uses. */
  topics: z.array(z.tuple([z.enum(topicNames), z.number()])),
  confidence: z.number(),
  /** A model of 1300 points answers well with probability σ(−difficulty). */
  difficulty: z.number(),
  /** Reasons why it is hard or easy, the strongest first; none for a prompt of usual difficulty. */
  difficultyReasons: z.array(z.string()),
})

export const rankedRecordSchema = z.strictObject({
  model: z.string(),
  /** The reasoning effort that the router chose; absent where it sends none. */
  effort: z.string().optional(),
  /** Position in the router's list, from 0. */
  position: z.int(),
  /** Set when something other than the strategy decided the position. */
  reason: z.string().nullable(),
  estimate: estimateSchema,
})

export const excludedRecordSchema = z.strictObject({
  ...rankedRecordSchema.shape,
  code: z.string(),
  reason: z.string(),
})

/** A tier of the router's cascade, and its result. */
const tierRecordSchema = z.strictObject({
  models: z.array(z.string()),
  /** `reads_only`: of a session's gate. */
  accept: z.enum([...acceptances, 'reads_only']),
  /** `not_reached` after a tier that was accepted; `passed_over` when it was not tried. */
  outcome: z.enum(['accepted', 'not_accepted', 'passed_over', 'not_reached']),
  /** Why the tier was not accepted or not tried. */
  reason: z.string().nullable(),
})
export type TierRecord = z.infer<typeof tierRecordSchema>

/** A request that was sent to a model to learn how it answers. */
const firstLookSchema = z.strictObject({
  /** The strategy's own choice. */
  insteadOf: z.string(),
  /** The answers known of the model. */
  answers: z.int(),
  /** Cost in a favourable case: one value in ten is lower. */
  costNanoUsd: z.int(),
  latencyMs: z.int(),
  micrograms: z.int(),
})
export type FirstLook = z.infer<typeof firstLookSchema>

/** A routing decision: the candidates in order, and the excluded models with reasons. */
export const decisionRecordSchema = z.strictObject({
  strategy: z.enum([...strategyNames, 'pinned']),
  /** Estimated before the request was sent. */
  promptTokens: z.int(),
  /** `max_tokens` of the request. */
  maxOutputTokens: z.int().nullable(),
  isStreamed: z.boolean(),
  needs: z.array(z.enum(capabilityNames)),
  /** Null when no strategy chose. */
  parameters: rankParametersSchema.nullable(),
  /** Null when there was nothing to compare. */
  reading: readingRecordSchema.nullable(),
  /** The models in the order in which they are tried. */
  ranked: z.array(rankedRecordSchema),
  excluded: z.array(excludedRecordSchema),
  /** Why the conversation stayed with its model, which is then the first; null when it did not. */
  kept: z.enum(['tool', 'near', 'session', 'warm', 'agent']).nullable(),
  /** The probability of the random choice of the first model; null when the strategy chose it. */
  drawnWith: z.number().nullable(),
  /** The models tried before `ranked`, tier by tier; absent when the router has no cascade. */
  cascade: z.array(tierRecordSchema).optional(),
  /**
   * Part of the prompt in the cache of the conversation's model, and the cost of reading it again: a change of model
   * loses it. Absent when nothing was cached.
   */
  warmCache: z
    .strictObject({ model: z.string(), tokens: z.int(), worthNanoUsd: z.int() })
    .optional(),
  /** Absent for nearly all requests: the strategy chose the first model. */
  look: firstLookSchema.optional(),
  /** Why a coding agent's session left its model, or could not; absent where no rule of sessions wanted that. */
  change: sessionChangeSchema.optional(),
  /** Changes to the request for the model of the last attempt. */
  adjusted: z.array(adjustmentSchema),
})
export type DecisionRecord = z.infer<typeof decisionRecordSchema>

/**
 * Token counts in classes that do not overlap: input and both cache classes are the prompt, output and
 * reasoning the completion. Null when the provider does not report a class; its tokens then count as input or
 * output.
 */
const tokenClassesSchema = z.strictObject({
  input: z.int(),
  cacheRead: z.int().nullable(),
  cacheWrite: z.int().nullable(),
  output: z.int(),
  reasoning: z.int().nullable(),
})
export type TokenClasses = z.infer<typeof tokenClassesSchema>

/** The details of a request that are not columns of the ledger. */
export const requestDetailSchema = z.strictObject({
  /** The client's name for itself (`user-agent`); null for the chat window. */
  client: z.string().nullable(),
  /** Whether the provider reported the token counts or they are estimates; `none` when there was no answer. */
  tokenSource: z.enum(['reported', 'estimated', 'none']),
  tokens: tokenClassesSchema,
  /** The price that the cost was calculated with; null when there was no answer. */
  price: z
    .strictObject({
      inputUsdPerMtok: z.number(),
      outputUsdPerMtok: z.number(),
      cacheReadUsdPerMtok: z.number().nullable(),
      cacheWriteUsdPerMtok: z.number().nullable(),
      /** `user`, or the catalogue's source and its date. */
      source: z.string(),
      asOf: z.string().nullable(),
    })
    .nullable(),
  /** The bounds around `carbonGrams`, and whether the model's own energy figure was known. */
  carbon: z
    .strictObject({
      lowGrams: z.number(),
      highGrams: z.number(),
      method: z.enum(['modelled', 'unknown']),
    })
    .nullable(),
  attempts: z.array(attemptRecordSchema),
  /** Signals that its answers gave by themselves. */
  signals: z.array(signalRecordSchema),
  decision: decisionRecordSchema,
})
export type RequestDetail = z.infer<typeof requestDetailSchema>

/** The form that callers see: the fields of the decision and of the provenance on one level, with a summary. */
export const explainedDetailSchema = z.strictObject({
  /** Why the first of `ranked` is first. */
  why: z.string(),
  /** The smallest single change that would have put another model first; null when there is none. */
  flip: z.string().nullable(),
  ...decisionRecordSchema.shape,
  ...requestDetailSchema.omit({ decision: true }).shape,
})
export type ExplainedDetail = z.infer<typeof explainedDetailSchema>

/** A request as the desktop app explains it. */
export interface ExplainedRequest {
  record: RequestRecord
  detail: ExplainedDetail
  /** Calls of tools that its answer made, oldest first. */
  toolCalls: readonly ToolCallRecord[]
}

/** `_meta` with the header `x-modelport-explain: true`. */
export interface ExplainedMeta extends RouterMeta {
  decision: ExplainedDetail
}
