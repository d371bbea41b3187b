/** What of a prompt the provider of the last turn may still have in its cache. */
import type { Turn } from './candidate.ts'

/** OpenAI's caches live "5 to 10 minutes of inactivity", Anthropic's 5 unless paid for: the lesser. */
const warmMs = 300_000
/** OpenAI and most others cache no prompt that is shorter. */
const leastCachedTokens = 1024

/** @returns tokens, 0 for every model but the one of the last turn */
export function cachedTokens(modelId: string, promptTokens: number, turn: Turn | null): number {
  if (turn === null || turn.modelId !== modelId || turn.ageMs > warmMs) return 0
  const shared = Math.min(turn.promptTokens, promptTokens)
  return shared < leastCachedTokens ? 0 : shared
}
