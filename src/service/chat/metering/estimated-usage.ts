/** The usage of an answer whose provider reported none, such as a stream that broke or was cancelled. */
import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { cacheFlow } from '../../routing/prompt-cache.ts'
import { expectedPromptTokens } from '../../routing/prompt-size.ts'
import { estimateTokens } from '../admission/request-needs.ts'
import type { MeteredRequest } from './metered-request.ts'

/**
 * At most the output limit that was sent: an upstream neither makes nor bills more. Of the prompt, what the vendor is
 * expected to have in its cache counts as read from it: in a coding agent's session, that is nearly all.
 */
export function estimatedUsage(
  { prompt, outputLimitOf, isInUs }: Pick<MeteredRequest, 'prompt' | 'outputLimitOf' | 'isInUs'>,
  candidate: Candidate,
  characters: number,
): ChatUsage {
  const prompt_tokens = expectedPromptTokens(candidate, prompt)
  const completion_tokens = Math.min(
    estimateTokens(characters),
    outputLimitOf(candidate) ?? Infinity,
  )
  const { lastAnswer = null, ...rest } = prompt
  const { cachedTokens, writtenTokens } = cacheFlow(candidate, prompt_tokens, {
    ...rest,
    lastAnswer,
  })
  const details = { cached_tokens: cachedTokens, cache_write_tokens: writtenTokens }
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cachedTokens + writtenTokens > 0 && { prompt_tokens_details: details }),
    ...(isInUs === true && { inference_geo: 'us' }),
  }
}
