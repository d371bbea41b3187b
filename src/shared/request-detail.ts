/** What the ledger knows of a request beyond its row's figures, as callers can ask for it. */
import { z } from 'zod'
import { strategyNames, type RouterMeta } from './chat.ts'
import { adjustmentSchema, capabilityNames } from './model-abilities.ts'

/** One candidate that was asked. */
const attemptRecordSchema = z.strictObject({
  model: z.string(),
  /** From the request's start. */
  startedMs: z.number(),
  tookMs: z.number(),
  /** `answered`, `aborted` by the caller, or how it failed (the kinds of a provider's failure). */
  outcome: z.string(),
  /** The upstream's HTTP status where it gave one. */
  status: z.int().nullable(),
  /** Scrubbed words of a failure. */
  message: z.string().nullable(),
})
export type AttemptRecord = z.infer<typeof attemptRecordSchema>

/** Why the request went where it went: who could answer in which order, who could not and why. */
const decisionRecordSchema = z.strictObject({
  strategy: z.enum([...strategyNames, 'pinned']),
  /** Estimated before the request was sent. */
  promptTokens: z.int(),
  needs: z.array(z.enum(capabilityNames)),
  ranked: z.array(z.strictObject({ model: z.string(), reason: z.string() })),
  excluded: z.array(z.strictObject({ model: z.string(), code: z.string(), reason: z.string() })),
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

/** What the ledger knows of a request beyond its row's figures, for the one who asks about it. */
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

/** `_meta` with the header `x-modelport-explain: true`. */
export interface ExplainedMeta extends RouterMeta {
  decision: RequestDetail
}
