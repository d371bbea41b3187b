/** The decision for a request that is not sent: what the API, the command line and the chat window show. */
import { z } from 'zod'
import { estimateSchema, explainedDetailSchema } from '../requests/detail.ts'

/** Expected cost, time and emissions of the first attempt. In a cascade, of all models of the first tier together. */
const expectedFiguresSchema = z.strictObject({
  costUsd: z.number(),
  /** Cost of a long answer: only one answer in ten is longer. */
  costP90Usd: z.number(),
  /** Time to the first readable text of a stream, or to the end of a whole answer. */
  latencyMs: z.number(),
  latencyP95Ms: z.number(),
  latencySource: estimateSchema.shape.latencySource,
  /** Probability of an acceptable answer, 0 to 1, and the half-width of its 90 % interval. */
  quality: z.number(),
  qualityHalfWidth: z.number(),
  /** Grams of CO2e, with the bounds around them. */
  carbonGrams: z.number(),
  carbonLowGrams: z.number(),
  carbonHighGrams: z.number(),
  promptTokens: z.int(),
  outputTokens: z.int(),
})
export type ExpectedFigures = z.infer<typeof expectedFiguresSchema>

export const previewSchema = z.strictObject({
  object: z.literal('modelport.preview'),
  /** `<provider>:<model_name>`, the model that the request would be sent to first. */
  model: z.string(),
  /** The reasoning effort that the router chose for it; absent where it sends none. */
  effort: z.string().optional(),
  routerDecision: explainedDetailSchema.shape.strategy,
  /** Why this model. */
  why: z.string(),
  /** The smallest change that would put another model first; null when there is none. */
  flip: z.string().nullable(),
  expected: expectedFiguresSchema,
  /** Models that come before it in the order but cannot be asked now. */
  skipped: z.array(z.strictObject({ model: z.string(), reason: z.string() })),
  /** The share of such requests that are sent to another good enough model, drawn at random. */
  explorationShare: z.number(),
  /** Whether a second model may be asked when the first is slow. */
  mayHedge: z.boolean(),
  /** The form of `_meta.decision`. Nothing was sent, so it has no attempts, tokens and price. */
  decision: explainedDetailSchema,
})
export type Preview = z.infer<typeof previewSchema>
