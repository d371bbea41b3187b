/** Maps the reasons for the end of an answer. */
import type { FinishReason } from '../../../shared/chat/chat.ts'

/**
 * Gemini's `finishReason` in OpenAI's words. All others, such as `MALFORMED_FUNCTION_CALL`, `OTHER` and reasons
 * newer than this table, are passed on as they are, because `stop` would claim that the answer is complete.
 */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
])

/** OpenAI's words, and the reasons that Google gave in the first place, as Gemini's. */
export function geminiFinishReason(reason: string): string {
  if (reason === 'tool_calls' || reason === 'function_call') return 'STOP'
  const [named] = [...finishReasons].find(([, known]) => known === reason) ?? []
  if (named !== undefined) return named
  return /^[A-Z_]{1,64}$/.test(reason) ? reason : 'OTHER'
}

/** @param hasCalls  Gemini ends an answer that calls functions with `STOP` */
export function finishReason(reason: string, hasCalls: boolean): FinishReason {
  const known = finishReasons.get(reason) ?? reason
  return known === 'stop' && hasCalls ? 'tool_calls' : known
}
