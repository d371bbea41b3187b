/** A model that answered in place of the router's first choice. */
import { z } from 'zod'
import { t } from '../strings/strings.ts'

/**
 * Why the first choice did not answer. `context_too_small`: it refused the prompt as too long. `paused`: it failed several
 * times in a row and is not tried for a while. All others are kinds of failures, of an attempt or of its provider.
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
  'paused',
] as const

export const fallbackSchema = z.strictObject({
  /** The first choice, `<provider>:<model_name>`. */
  from: z.string(),
  reason: z.enum(fallbackReasons),
})
export type Fallback = z.infer<typeof fallbackSchema>
export type FallbackReason = Fallback['reason']

const reasonWords: Record<FallbackReason, string> = {
  no_key: t('no key'),
  auth: t('key rejected'),
  credit: t('no credit left'),
  rate_limit: t('rate limit reached'),
  unavailable: t('not available'),
  timeout: 'timeout',
  network: t('not reachable'),
  invalid_response: t('invalid answer'),
  context_too_small: t('prompt too long'),
  paused: t('paused after failures'),
}

/** `instead of openai:gpt-5 (rate limit reached)` */
export function fallbackText({ from, reason }: Fallback): string {
  return t('instead of {from} ({reasonWords})', { from, reasonWords: reasonWords[reason] })
}
