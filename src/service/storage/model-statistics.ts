/**
 * What is stored of the answers of each model and of each router; `chat/learning/model-statistics.ts` computes
 * it.
 */
import { z } from 'zod'
import { servedSpeedSchema } from '../../shared/models/model-servers.ts'
import { topicNames } from '../../shared/routers/topics.ts'

/**
 * Streams and whole answers are timed separately, as are answers of a local model that had to be loaded
 * first.
 */
export const answerForms = ['stream', 'whole', 'stream_cold', 'whole_cold'] as const
export type AnswerForm = (typeof answerForms)[number]

/** A mean of natural logarithms of measured by assumed times, and the share of it that was measured, 0 to 1. */
const meanTimesSchema = z.strictObject({
  lnFirstToken: z.number(),
  lnPerToken: z.number(),
  share: z.number(),
})
export type MeanTimes = z.infer<typeof meanTimesSchema>

const latencyAverageSchema = z.strictObject({
  /** Unix milliseconds of the last answer. */
  atMs: z.number(),
  /** Means over the last minutes. */
  fast: meanTimesSchema,
  /** The greatest share that `fast` has had. */
  greatestShare: z.number(),
  /** Means over the last hours. */
  slow: meanTimesSchema,
  /** Mean absolute difference between an answer's time and the expected time, of their logarithms. */
  deviation: z.number(),
  answers: z.number(),
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

const verbositySchema = z.strictObject({
  /** How much longer a model's answers are than its router's: the sum of the logarithms, and their number. */
  lnSum: z.number(),
  answers: z.number(),
  /** Logarithm of the length that one answer in ten exceeds, by the expected one; absent in older figures. */
  lnP90: z.number().optional(),
})
export type Verbosity = z.infer<typeof verbositySchema>

/** Figures of one deployment; null or absent when no answer has provided any. */
export const modelFiguresSchema = z.strictObject({
  latencies: z.partialRecord(z.enum(answerForms), latencyAverageSchema),
  prompts: promptSumsSchema.nullable(),
  verbosity: verbositySchema.nullable(),
  /** Speed of a model on this computer; absent for others. */
  served: servedSpeedSchema.optional(),
})
export type ModelFigures = z.infer<typeof modelFiguresSchema>

const byTopic = z.array(z.number()).length(topicNames.length)

/** How much longer a router's answers are than the defaults, as natural logarithms, and its first looks. */
export const routerFiguresSchema = z.strictObject({
  answers: z.number(),
  lnLonger: z.number(),
  topics: z.strictObject({
    /** Natural logarithms, in the order of `topicNames`. */
    lnLonger: byTopic,
    /** The number of answers that each was learned from. */
    answers: byTopic,
  }),
  looks: z.number(),
})
export type RouterFigures = z.infer<typeof routerFiguresSchema>
