/** A model that answered in place of the router's first choice, as it is stored. */
import { z } from 'zod'

/**
 * Why the first choice did not answer. `context_too_small`: it refused the prompt as too long. `unsupported`: its
 * provider's form cannot carry the request. `paused`: it failed several times in a row and is not tried for a while. All others are kinds of failures, of an attempt or of its provider.
 */
export const fallbackReasons = [
  'no_key',
  'auth',
  'credit',
  'rate_limit',
  'unavailable',
  'timeout',
  'network',
  'invalid_response',
  'context_too_small',
  'unsupported',
  'paused',
] as const

export const fallbackSchema = z.strictObject({
  /** The first choice, `<provider>:<model_name>`. */
  from: z.string(),
  reason: z.enum(fallbackReasons),
})
export type Fallback = z.infer<typeof fallbackSchema>
export type FallbackReason = Fallback['reason']
