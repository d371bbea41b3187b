/** What the ledger knows of a request beyond its row's figures, as callers can ask for it. */
import { z } from 'zod'
import type { RouterMeta } from './chat.ts'
import { strategyNames } from './strategies.ts'
import { domainNames } from './domains.ts'
import type { RequestRecord } from './entities.ts'
import { adjustmentSchema, capabilityNames } from './model-abilities.ts'
import { acceptances } from './routing-settings.ts'
import { topicNames } from './topics.ts'

/** One candidate that was asked. */
const attemptRecordSchema = z.strictObject({
  model: z.string(),
  /** From the request's start. */
  startedMs: z.number(),
  tookMs: z.number(),
  /**
   * `answered`; in a cascade `accepted` or `not_accepted`; `aborted` by the caller; `lost` where it was
   * cut off for another's sake; or how it failed (the kinds of a provider's failure).
   */
  outcome: z.string(),
  /** The upstream's HTTP status where it gave one. */
  status: z.int().nullable(),
  /** Scrubbed words of a failure, or why an answer was not accepted. */
  message: z.string().nullable(),
})
export type AttemptRecord = z.infer<typeof attemptRecordSchema>

/**
 * What a model was expected to do with a request. In whole units, because these very numbers were
 * compared: ranking them again gives the same order.
 */
export const estimateSchema = z.strictObject({
  /** Chance of an acceptable answer, in ten-thousandths of 1, and the half-width of its 90 % interval. */
  quality: z.number(),
  qualityHalfWidth: z.number(),
  /** From published figures alone, from these and the feedback given here, or mostly from the latter. */
  qualitySource: z.enum(['prior', 'blend', 'learned']),
  outputTokens: z.int(),
  costNanoUsd: z.int(),
  /** What of it the prompt costs. */
  promptNanoUsd: z.int(),
  /** Of an answer as long as one in ten is. */
  costP90NanoUsd: z.int(),
  /** To the first readable text of a stream, or to the end of a whole answer. */
  latencyMs: z.int(),
  latencyP95Ms: z.int(),
  /** Measured here, published, or the default guess for unmeasured models. */
  latencySource: z.enum(['learned', 'prior', 'assumed']),
  /** Of CO2e. */
  lowMicrograms: z.int(),
  micrograms: z.int(),
  highMicrograms: z.int(),
  carbonMethod: z.enum(['modelled', 'unknown']),
})
export type Estimate = z.infer<typeof estimateSchema>

/** The strategy's parameters as they were in force. */
export const rankParametersSchema = z.strictObject({
  qualityTolerance: z.number(),
  weights: z.strictObject({ cost: z.number(), latency: z.number(), carbon: z.number() }),
  latencyPercentile: z.union([z.literal(50), z.literal(95)]),
  /** Quality that each US dollar of cost takes away while the budget is paced; otherwise 0. */
  qualityPerUsd: z.number(),
})
export type RankParameters = z.infer<typeof rankParametersSchema>

/** What the prompt looked like, in numbers. */
const readingRecordSchema = z.strictObject({
  /** Its likeliest kinds with their probability, at the most three. */
  domains: z.array(z.tuple([z.enum(domainNames), z.number()])),
  /** The same in finer parts, which is what is learnt by; older rows have none. */
  topics: z.array(z.tuple([z.enum(topicNames), z.number()])).default([]),
  confidence: z.number(),
})

export const rankedRecordSchema = z.strictObject({
  model: z.string(),
  /** Place in the router's list, from 0. */
  position: z.int().default(0),
  /** Where it is not the strategy's doing alone. */
  reason: z.string().nullable().default(null),
  /** Null in rows of older versions. */
  estimate: estimateSchema.nullable().default(null),
})

export const excludedRecordSchema = z.strictObject({
  ...rankedRecordSchema.shape,
  code: z.string(),
  reason: z.string(),
})

/** A tier of the router's cascade, and what became of it. */
const tierRecordSchema = z.strictObject({
  models: z.array(z.string()),
  accept: z.enum(acceptances),
  /** `not_reached` after a tier that was accepted, `passed_over` where it was not asked at all. */
  outcome: z.enum(['accepted', 'not_accepted', 'passed_over', 'not_reached']),
  /** Of what was not accepted or not asked. */
  reason: z.string().nullable(),
})
export type TierRecord = z.infer<typeof tierRecordSchema>

/** A routing decision: the candidates in order, and the excluded models with reasons. */
export const decisionRecordSchema = z.strictObject({
  strategy: z.enum([...strategyNames, 'pinned']),
  /** Estimated before the request was sent. */
  promptTokens: z.int(),
  /** `max_tokens` of the request. */
  maxOutputTokens: z.int().nullable().default(null),
  isStreamed: z.boolean().default(false),
  needs: z.array(z.enum(capabilityNames)),
  /** Null in rows of older versions and where no strategy chose. */
  parameters: rankParametersSchema.nullable().default(null),
  /** Null where there was nothing to compare. */
  reading: readingRecordSchema.nullable().default(null),
  /** Who is tried, in this order. */
  ranked: z.array(rankedRecordSchema),
  excluded: z.array(excludedRecordSchema),
  /** Why the conversation stayed with its model, which is then the first; null where it did not. */
  kept: z.enum(['tool', 'near']).nullable().default(null),
  /** Chance with which the first was drawn, where it was drawn; null where it is the strategy's. */
  drawnWith: z.number().nullable().default(null),
  /** Who was asked before the order of `ranked`, tier by tier; absent where the router has no cascade. */
  cascade: z.array(tierRecordSchema).optional(),
  /** For the model that was asked last; rows of older versions have none. */
  adjusted: z.array(adjustmentSchema).default([]),
})
export type DecisionRecord = z.infer<typeof decisionRecordSchema>

/**
 * Token counts in classes that do not overlap: input and both cache classes are the prompt, output
 * and reasoning the completion. Null where the provider does not say; it is then counted as input or
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
  /** How the caller's program names itself (`user-agent`); null for the chat window. */
  client: z.string().nullable(),
  /** Whether the token counts are the provider's or estimates; `none` when nothing was answered. */
  tokenSource: z.enum(['reported', 'estimated', 'none']),
  tokens: tokenClassesSchema,
  /** The price the cost was worked out with; null when nothing was answered. */
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
  decision: decisionRecordSchema,
})
export type RequestDetail = z.infer<typeof requestDetailSchema>

/** The form that callers see: the decision's fields and the provenance on one level, with a summary. */
export const explainedDetailSchema = z.strictObject({
  /** Why the first of `ranked` is first. */
  why: z.string(),
  /** The smallest change that would have put another model first; null when no single change would. */
  flip: z.string().nullable(),
  ...decisionRecordSchema.shape,
  ...requestDetailSchema.omit({ decision: true }).shape,
})
export type ExplainedDetail = z.infer<typeof explainedDetailSchema>

/** A request as the desktop explains it; the detail is null for rows of old versions. */
export interface ExplainedRequest {
  record: RequestRecord
  detail: ExplainedDetail | null
}

/** `_meta` with the header `x-modelport-explain: true`. */
export interface ExplainedMeta extends RouterMeta {
  decision: ExplainedDetail
}
