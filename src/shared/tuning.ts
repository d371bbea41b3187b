/** Tuning: what is stored of prompts whose answers were judged, so that routing learns from them. */
import { z } from 'zod'
import { topicNames } from './topics.ts'

/** One model's answer to a judged prompt. */
const judgedAnswerSchema = z.strictObject({
  /** `<provider>:<model_name>` */
  modelId: z.string(),
  /** The logit of the quality that was expected before anything was judged. */
  startLogit: z.number(),
  /** How good the answer was, 0 to 1, as graded; null when it could not be graded. */
  grade: z.number().min(0).max(1).nullable(),
  /** Billed tokens, reasoning included; null when unknown or when a token limit cut the answer off. */
  outputTokens: z.number().positive().nullable(),
})
export type JudgedAnswer = z.infer<typeof judgedAnswerSchema>

/**
 * A prompt whose answers were judged: some sixty numbers, and no word of the prompt or of an answer. Routing
 * computes what it learns from these rows again whenever rows or ratings change.
 */
export const judgedPromptSchema = z.strictObject({
  /** A UUID. A row with a stored id replaces the stored one. */
  id: z.uuid(),
  /** Unix milliseconds; older rows count less. */
  atMs: z.number(),
  /** The prompt's reading: the probability of each topic, in the order of `topicNames`. */
  topics: z.array(z.number().min(0).max(1)).length(topicNames.length),
  /** The prompt's reading: its difficulty, as a logit. */
  difficulty: z.number(),
  /** The topic that the judge named; null when nobody named one. */
  kind: z.enum(topicNames).nullable(),
  /** The share of wrong grades among those of this prompt's grader; 0 for a deterministic check. */
  errorRate: z.number().min(0).max(0.5),
  answers: z.array(judgedAnswerSchema),
})
export type JudgedPrompt = z.infer<typeof judgedPromptSchema>
