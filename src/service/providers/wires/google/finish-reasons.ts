/** Why an answer ended. */
import type { FinishReason } from '../../../../shared/chat.ts'

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

/** @param hasCalls  Gemini ends an answer that calls functions with `STOP` */
export function finishReason(reason: string, hasCalls: boolean): FinishReason {
  const known = finishReasons.get(reason) ?? reason
  return known === 'stop' && hasCalls ? 'tool_calls' : known
}
