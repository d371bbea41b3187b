/** What is stored of a run: its setup, its prompts' readings, its answers until they are graded, and its grades. */
import { z } from 'zod'
import { domainNames } from '../../shared/app/domains.ts'
import { topicNames } from '../../shared/routers/topics.ts'

export const runSetupSchema = z.strictObject({
  from: z.enum(['starter', 'file', 'requests', 'conversations']),
  fileName: z.string().nullable(),
  models: z.array(z.string()),
  judge: z.string().nullable(),
  maxAnswerTokens: z.number().nullable(),
})
export type RunSetup = z.infer<typeof runSetupSchema>

/** The prompt without its words: what the result and the judged prompt need. */
export const storedReadingSchema = z.strictObject({
  /** Id of the judged prompt. */
  id: z.string(),
  promptTokens: z.number(),
  domains: z.array(z.number()),
  topics: z.array(z.number()),
  confidence: z.number(),
  gain: z.number(),
  difficulty: z.number(),
  form: z.array(z.number()),
  /** Domain as its source named it. */
  domain: z.enum(domainNames).nullable(),
  grade: z.literal([1, 2, 3, 4]).nullable(),
  /** Logit of each model's expected quality before the run. */
  startLogits: z.record(z.string(), z.number()),
})
export type StoredReading = z.infer<typeof storedReadingSchema>

export const storedAnswerSchema = z.strictObject({
  text: z.string(),
  isCut: z.boolean(),
  costNanoUsd: z.number(),
  latencyMs: z.number(),
  outputTokens: z.number(),
})
export type StoredAnswer = z.infer<typeof storedAnswerSchema>

const gradedAnswerSchema = z.strictObject({
  model: z.string(),
  /** 0 to 1; null without one. */
  grade: z.number().nullable(),
  /** Why it has no grade; null when it has one. */
  missing: z.enum(['no_answer', 'own_family', 'unreadable']).nullable(),
  costNanoUsd: z.number().nullable(),
  latencyMs: z.number().nullable(),
  outputTokens: z.number().nullable(),
  isCut: z.boolean(),
})
export type GradedAnswer = z.infer<typeof gradedAnswerSchema>

export const promptOutcomeSchema = z.strictObject({
  gradedBy: z.enum(['check', 'judge']),
  atMs: z.number(),
  answers: z.array(gradedAnswerSchema),
  /** Topic as the judge named it. */
  kind: z.enum(topicNames).nullable(),
  comparisons: z.number(),
  /** Comparisons left out because the judge belongs to the family. */
  ownFamily: z.number(),
  unreadable: z.number(),
  /** Grades of answers that were judged twice: the first and the second time. */
  repeated: z.array(z.tuple([z.number(), z.number()])),
})
export type PromptOutcome = z.infer<typeof promptOutcomeSchema>
