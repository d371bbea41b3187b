/** Whether a step of a coding agent read from the vendor's cache what it should have, and if not, why. */
import { z } from 'zod'

/** Where the prefix stopped being the same; `effort` where only the effort differs. */
const cachePlaceSchema = z.union([
  z.strictObject({
    part: z.literal('tools'),
    change: z.enum(['reordered', 'changed', 'added', 'removed']),
  }),
  /** `at`: the character, to about a thousand. */
  z.strictObject({ part: z.literal('system'), at: z.int() }),
  /** `at`: the message from 1, after the system prompt; of long conversations the first that may differ. */
  z.strictObject({ part: z.literal('message'), at: z.int() }),
  z.strictObject({ part: z.literal('effort') }),
])
export type CachePlace = z.infer<typeof cachePlaceSchema>

export const cacheVerdictSchema = z.strictObject({
  /** Prompt tokens that were expected to be read, and those that were. */
  expected: z.int(),
  read: z.int(),
  /** What the lost tokens cost more; absent when the cache held. */
  lostNanoUsd: z.int().optional(),
  /** Who broke it; absent when it held. */
  culprit: z.enum(['client', 'modelport', 'vendor']).optional(),
  /** Absent when the prefix did not change. */
  place: cachePlaceSchema.optional(),
  /** What Modelport changed in the request, when it is the culprit. */
  adjusted: z.array(z.string()).optional(),
  /** Whether it raised an alarm. */
  alarm: z.literal(true).optional(),
})
export type CacheVerdict = z.infer<typeof cacheVerdictSchema>
