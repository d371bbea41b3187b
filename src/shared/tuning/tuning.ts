/** Tuning: the stored facts about prompts with judged answers, from which routing learns. */
import { z } from 'zod'
import { topicNames } from '../routers/topics.ts'

/** Which routers learn from a run's grades: all, only the one whose models it asked, or none. */
export const appliesToNames = ['all', 'router', 'none'] as const
export type AppliesTo = (typeof appliesToNames)[number]

/** One model's answer to a judged prompt. */
const judgedAnswerSchema = z.strictObject({
  /** `<provider>:<model_name>` */
  modelId: z.string(),
  /** The logit of the quality that was expected before anything was judged. */
  startLogit: z.number(),
  /** How good the answer was, 0 to 1, as graded; null when it could not be graded. */
  grade: z.number().min(0).max(1).nullable(),
})
export type JudgedAnswer = z.infer<typeof judgedAnswerSchema>

/**
 * A prompt whose answers were judged: about a hundred numbers, and no word of the prompt or of an answer. Routing
 * computes what it learns from these rows again whenever rows or ratings change.
 *
 * Privacy: a row tells what the prompt is about, how long and how hard it is, how it is written (the shares of
 * digits, capitals, code and so on), and how the models did. Its words cannot be computed from that. Someone
 * with the exact text of a prompt could recognise its row.
 */
export const judgedPromptSchema = z.strictObject({
  /** A UUID. A row with a stored id replaces the stored one. */
  id: z.uuid(),
  /** Unix milliseconds; older rows count less. */
  atMs: z.number(),
  /** The prompt's reading: the probability of each topic, in the order of `topicNames`. */
  topics: z.array(z.number().min(0).max(1)).length(topicNames.length).readonly(),
  /** The prompt's reading: its difficulty, as a logit, and its confidence, 0 to 1. */
  difficulty: z.number(),
  confidence: z.number().min(0).max(1),
  /** The dense features of the user's message (`formOf`), in the order of `denseFeatureNames`. */
  form: z.array(z.number()).max(100).readonly(),
  /** The topic that the judge named; null if it named none. */
  kind: z.enum(topicNames).nullable(),
  /** The share of wrong grades among those of this prompt's grader; 0 for a deterministic check. */
  errorRate: z.number().min(0).max(0.5),
  answers: z.array(judgedAnswerSchema).readonly(),
})
export type JudgedPrompt = z.infer<typeof judgedPromptSchema>
