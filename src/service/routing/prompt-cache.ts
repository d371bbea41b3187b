/** How much of a prompt the provider of the last answer may still have in its cache. */
import type { LastAnswer } from './candidate.ts'

/**
 * OpenAI's caches live "5 to 10 minutes of inactivity", Anthropic's 5 minutes by default: the shorter one.
 */
const warmMs = 300_000
/** OpenAI and most others do not cache shorter prompts. */
const leastCachedTokens = 1024

/** @returns tokens; 0 for every model but that of the last answer */
export function cachedTokens(
  modelId: string,
  promptTokens: number,
  lastAnswer: LastAnswer | null,
): number {
  if (lastAnswer === null || lastAnswer.modelId !== modelId || lastAnswer.ageMs > warmMs) return 0
  const shared = Math.min(lastAnswer.promptTokens, promptTokens)
  return shared < leastCachedTokens ? 0 : shared
}
