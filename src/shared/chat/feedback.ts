/** The judgements that a person or a check can give of an answer. */
import { z } from 'zod'
import type { Domain } from '../app/domains.ts'

/** About one answer: a thumb, whether it has the requested format, and that it was copied. */
const ofOneKinds = ['up', 'down', 'valid', 'invalid', 'copied'] as const
/**
 * About two answers to one prompt. `regenerated`: another model answered the request again, and that answer was
 * kept. `preferred`: this answer was chosen when both were shown side by side.
 */
const ofTwoKinds = ['regenerated', 'preferred'] as const
export const feedbackKinds = [...ofOneKinds, ...ofTwoKinds] as const
export type FeedbackKind = (typeof feedbackKinds)[number]

const requestId = z.string().min(1)

export const feedbackSchema = z.discriminatedUnion('kind', [
  z.strictObject({ requestId, kind: z.enum(ofOneKinds) }),
  z.strictObject({ requestId, kind: z.enum(ofTwoKinds), otherRequestId: requestId }),
])
export type Feedback = z.output<typeof feedbackSchema>

/** What the answers that a person judged say of one model. */
export interface Lesson {
  modelId: string
  /** The most likely kind of the prompt whose answer was just judged. */
  domain: Domain
  /** The model's judged answers to prompts of this kind, and how many of them were good. */
  judged: number
  good: number
}

export const thumbsQuerySchema = z.strictObject({ requestIds: z.array(requestId).max(1000) })
/** Thumbs by request; requests without thumbs are left out. */
export type Thumbs = Record<string, 'up' | 'down'>

/** Withdraws feedback. `up` withdraws `down` too and vice versa; the same holds for the two forms. */
export const feedbackNameSchema = z.strictObject({ requestId, kind: z.enum(feedbackKinds) })
export type FeedbackName = z.output<typeof feedbackNameSchema>
