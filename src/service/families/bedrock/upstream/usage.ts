/**
 * Bedrock's token counts in OpenAI's form. `inputTokens` leaves out the tokens that were read from or written to
 * the cache; OpenAI's `prompt_tokens` includes both. Compared with `TokenUsage` of the SDK, 2026-11-22.
 */
import type { TokenUsage } from '@aws-sdk/client-bedrock-runtime'
import type { ChatUsage } from '../../../../shared/chat/chat.ts'
import { countOf, fieldsOf, listOf } from '../../../json-fields.ts'

/** @returns null without the two main counts */
export function readUsage(value: unknown): ChatUsage | null {
  const usage = fieldsOf(value)
  const reportedCount = (name: keyof TokenUsage) => countOf(usage[name])
  const input = reportedCount('inputTokens')
  const completion_tokens = reportedCount('outputTokens')
  if (input === null || completion_tokens === null) return null
  const cached_tokens = reportedCount('cacheReadInputTokens')
  const cache_write_tokens = reportedCount('cacheWriteInputTokens')
  const cache_write_1h_tokens = anHourWrites(usage['cacheDetails'])
  const prompt_tokens = input + (cached_tokens ?? 0) + (cache_write_tokens ?? 0)
  const details = Object.entries({ cached_tokens, cache_write_tokens, cache_write_1h_tokens })
  const reported = details.filter(([, count]) => count !== null)
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(reported.length === 0 ? {} : { prompt_tokens_details: Object.fromEntries(reported) }),
  }
}

/** Writes that last an hour cost more than those of five minutes. Null when the answer does not tell them apart. */
function anHourWrites(details: unknown): number | null {
  const entry = listOf(details)
    .map(fieldsOf)
    .find(({ ttl }) => ttl === '1h')
  return entry === undefined ? null : countOf(entry['inputTokens'])
}
