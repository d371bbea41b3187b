/** The stored latency and answer lengths of each model; `chat/learning/model-statistics.ts` computes them. */
import { z } from 'zod'
import { servedSpeedSchema } from '../../shared/model-servers.ts'
import { topicNames } from '../../shared/topics.ts'

/**
 * Streams and whole answers are timed separately, as are answers of a local model that had to be loaded
 * first.
 */
export const answerForms = ['stream', 'whole', 'stream_cold', 'whole_cold'] as const
export type AnswerForm = (typeof answerForms)[number]

const latencyAverageSchema = z.strictObject({
  /** Unix milliseconds of the last answer. */
  atMs: z.number(),
  /** Natural logarithms of milliseconds: to the first token of a short prompt, and for each token. */
  lnFirstTokenMs: z.number(),
  lnMsPerToken: z.number(),
  /** Mean absolute difference between an answer's time and the expected time, of their logarithms. */
  deviation: z.number(),
  /** The measured share of these figures, 0 to 1; the rest is the prior. */
  share: z.number(),
})
export type LatencyAverage = z.infer<typeof latencyAverageSchema>

/**
 * Sums over the prompts of streams and their times to the first token; each answer's weight decreases with
 * every later one.
 */
const promptSumsSchema = z.strictObject({
  weight: z.number(),
  tokens: z.number(),
  firstTokenMs: z.number(),
  squaredTokens: z.number(),
  tokensByMs: z.number(),
})
export type PromptSums = z.infer<typeof promptSumsSchema>

const byTopic = z.array(z.number()).length(topicNames.length)
const lengthsSchema = z.strictObject({
  /** Natural logarithm of billed output tokens, in the order of `topicNames`. */
  lnTokens: byTopic,
  /** The number of answers that each was learned from. */
  answers: byTopic,
})
export type Lengths = z.infer<typeof lengthsSchema>

/** Figures of one deployment; null or absent when no answer has provided any. */
export const modelFiguresSchema = z.strictObject({
  latencies: z.partialRecord(z.enum(answerForms), latencyAverageSchema),
  prompts: promptSumsSchema.nullable(),
  lengths: lengthsSchema.nullable(),
  /** Only of a model on this computer. */
  served: servedSpeedSchema.optional(),
})
export type ModelFigures = z.infer<typeof modelFiguresSchema>
