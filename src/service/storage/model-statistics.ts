/** What is kept of how quick a model was and how much it wrote; `chat/model-statistics.ts` works it out. */
import { z } from 'zod'
import { topicNames } from '../../shared/topics.ts'

/**
 * Streams and whole answers are timed apart, and both apart from those of a model on this computer that
 * had to be loaded first.
 */
export const answerForms = ['stream', 'whole', 'stream_cold', 'whole_cold'] as const
export type AnswerForm = (typeof answerForms)[number]

const paceSchema = z.strictObject({
  /** Unix milliseconds of the last answer. */
  atMs: z.number(),
  /** Natural logarithms of milliseconds: to the first token of a short prompt, and for each token. */
  lnFirstTokenMs: z.number(),
  lnMsPerToken: z.number(),
  /** Mean distance of an answer's time from what was expected, by the logarithm. */
  deviation: z.number(),
  /** How much of these figures was measured, 0 to 1; the rest is the prior's. */
  share: z.number(),
})
export type Pace = z.infer<typeof paceSchema>

/** Sums over the streams' prompts and times to the first token; an answer's part fades with each later one. */
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
  /** Answers each was learnt from. */
  answers: byTopic,
})
export type Lengths = z.infer<typeof lengthsSchema>

/** Figures of one deployment; null and absent is what no answer told. */
export const modelFiguresSchema = z.strictObject({
  paces: z.partialRecord(z.enum(answerForms), paceSchema),
  prompts: promptSumsSchema.nullable(),
  lengths: lengthsSchema.nullable(),
})
export type ModelFigures = z.infer<typeof modelFiguresSchema>
