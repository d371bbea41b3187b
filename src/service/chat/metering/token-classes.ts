import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { TokenClasses } from '../../../shared/requests/detail.ts'
import type { BilledTokens } from '../../catalog/cost.ts'

/**
 * The wire's counts as classes that do not overlap: their sum is `total_tokens`. OpenAI's form counts tokens read
 * from and written to a cache inside `prompt_tokens`, and reasoning inside `completion_tokens`. A part that is larger
 * than the whole is limited to it.
 */
export function tokenClasses(usage: ChatUsage): TokenClasses {
  const { prompt_tokens, completion_tokens } = usage
  const { cached_tokens, cache_write_tokens } = usage.prompt_tokens_details ?? {}
  const { reasoning_tokens } = usage.completion_tokens_details ?? {}
  const cacheRead = partOf(prompt_tokens, cached_tokens)
  const cacheWrite = partOf(prompt_tokens - (cacheRead ?? 0), cache_write_tokens)
  const reasoning = partOf(completion_tokens, reasoning_tokens)
  return {
    input: prompt_tokens - (cacheRead ?? 0) - (cacheWrite ?? 0),
    cacheRead,
    cacheWrite,
    output: completion_tokens - (reasoning ?? 0),
    reasoning,
  }
}

/** The same as they are priced: every provider bills reasoning as output. */
export function billedTokens(usage: ChatUsage): BilledTokens {
  const { input, cacheRead, cacheWrite } = tokenClasses(usage)
  const { cache_write_1h_tokens: forAnHour = 0 } = usage.prompt_tokens_details ?? {}
  return {
    inputTokens: input,
    cacheReadTokens: cacheRead ?? 0,
    cacheWriteTokens: cacheWrite ?? 0,
    cacheWrite1hTokens: Math.min(cacheWrite ?? 0, forAnHour),
    outputTokens: usage.completion_tokens,
  }
}

function partOf(whole: number, part: number | undefined): number | null {
  return part === undefined ? null : Math.min(part, whole)
}
