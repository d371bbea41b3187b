/** Estimates how much of a prompt the provider of the last answer may still have in its cache, and its value. */
import type { TokenPrice } from '../../shared/models/price.ts'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import type { Candidate, EstimatedCandidate, LastAnswer } from './candidate.ts'
import { expectedCostNanoUsd } from './expected-cost.ts'
import { expectedPromptTokens, type PromptSize } from './prompt-size.ts'

/**
 * OpenAI's caches live "5 to 10 minutes of inactivity", Anthropic's 5 minutes by default: the shorter one.
 */
export const warmMs = 300_000
/** OpenAI and most others do not cache shorter prompts. */
const leastCachedTokens = 1024

/**
 * @returns tokens; 0 for every model but that of the last answer, and for another reasoning effort where the
 *   vendor says what it caches: Anthropic's caches of messages hold for the same thinking only
 */
export function cachedTokens(
  { modelId, effort }: Pick<Candidate, 'modelId' | 'effort'>,
  promptTokens: number,
  lastAnswer: LastAnswer | null,
): number {
  if (lastAnswer === null || lastAnswer.modelId !== modelId || lastAnswer.ageMs > warmMs) return 0
  const { cachedTokens: reported = null, effort: before = effort } = lastAnswer
  if (reported !== null) return effort === before ? Math.min(reported, promptTokens) : 0
  const shared = Math.min(lastAnswer.promptTokens, promptTokens)
  return shared < leastCachedTokens ? 0 : shared
}

/**
 * The part of the prompt in the cache of the conversation's model, and the cost of reading it again; null for nothing.
 */
export function warmCache(
  candidates: readonly EstimatedCandidate[],
  prompt: PromptSize,
  lastAnswer: LastAnswer | null,
): DecisionRecord['warmCache'] | null {
  const holder = candidates.find(({ candidate }) => {
    return cachedTokens(candidate, expectedPromptTokens(candidate, prompt), lastAnswer) > 0
  })
  if (holder === undefined) return null
  const { price } = holder.candidate
  const promptTokens = expectedPromptTokens(holder.candidate, prompt)
  const tokens = cachedTokens(holder.candidate, promptTokens, lastAnswer)
  const costOf = (cached: number) =>
    expectedCostNanoUsd(price, { promptTokens, cachedTokens: cached, outputTokens: 0 })
  const worthNanoUsd = costOf(0) - costOf(tokens)
  return worthNanoUsd > 0 ? { model: holder.model, tokens, worthNanoUsd } : null
}

/** What is known about whether a later request will begin like this one. */
export interface CacheHistory {
  /** Whether the conversation was answered before. */
  isContinued: boolean
  /** The share of the key's conversations that went on while their first prompt was in the cache. */
  continuedShare: number
}

/** Whether the vendor charges extra for writing to its cache. Others cache unasked and for nothing. */
export function chargesForWriting(price: TokenPrice): boolean {
  return (price.cacheWriteUsdPerMtok ?? 0) > price.inputUsdPerMtok
}

/**
 * Whether marking the prompt for the cache is expected to save money: the share of conversations that go on,
 * times the discount for reading, must exceed the surcharge for writing. A conversation that went on once is
 * expected to go on again.
 */
export function paysToMark(
  price: TokenPrice,
  { isContinued, continuedShare }: CacheHistory,
): boolean {
  if (!chargesForWriting(price)) return false
  const { inputUsdPerMtok: input } = price
  const discount = input - (price.cacheReadUsdPerMtok ?? input)
  const surcharge = (price.cacheWriteUsdPerMtok ?? input) - input
  const share = isContinued ? 1 : continuedShare
  return share * discount > surcharge
}
