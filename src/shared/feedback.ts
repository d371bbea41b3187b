/** What a person, or a check, can say of an answer. */
import { z } from 'zod'

/** Of one answer: a thumb, whether it has the form that was asked for, and that it was copied. */
const ofOneKinds = ['up', 'down', 'valid', 'invalid', 'copied'] as const
/**
 * Of two answers to one prompt. `regenerated`: the request was asked again of another model, and the other
 * answer was kept. `preferred`: side by side with the other, this one was chosen.
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

export const thumbsQuerySchema = z.strictObject({ requestIds: z.array(requestId).max(1000) })
/** By request, of those that have one. */
export type Thumbs = Record<string, 'up' | 'down'>

/** Withdraws feedback. `up` withdraws `down` too and vice versa; the same holds for the two forms. */
export const feedbackNameSchema = z.strictObject({ requestId, kind: z.enum(feedbackKinds) })
export type FeedbackName = z.output<typeof feedbackNameSchema>
