/** Estimates how much of a prompt its models' vendors may still have in their caches, and its value. */
import type { TokenPrice } from '../../shared/models/price.ts'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import { hourMs, readableTokens } from './cache-rules.ts'
import type {
  CachedPrefix,
  Candidate,
  EstimatedCandidate,
  LastAnswer,
  RoutingContext,
} from './candidate.ts'
import { expectedCostNanoUsd } from './expected-cost.ts'
import { expectedPromptTokens, type PromptSize } from './prompt-size.ts'

/** A conversation that goes on within this time finds its first prompt in every vendor's cache. */
export const warmMs = 300_000
/** OpenAI and most others do not cache shorter prompts. */
const leastCachedTokens = 1024
/** A prompt below this share of the one before is not its continuation: the client has compacted it. */
const leastShareOfBefore = 0.8

/**
 * @returns tokens; 0 for a model that has not answered in the conversation within its vendor's time, and for another
 *   reasoning effort where the vendor says what it caches: Anthropic's caches of messages hold for the same thinking only
 */
export function cachedTokens(
  candidate: Pick<Candidate, 'modelId' | 'effort'>,
  promptTokens: number,
  lastAnswer: LastAnswer | null,
): number {
  if (lastAnswer === null) return 0
  const { others, leastPromptTokens = promptTokens } = lastAnswer
  let most = tokensIn(lastAnswer, candidate, promptTokens)
  for (const prefix of others ?? [])
    most = Math.max(most, tokensIn(prefix, candidate, promptTokens))
  return isShortened(promptTokens, lastAnswer) ? Math.min(most, leastPromptTokens) : most
}

/** Whether the client has compacted the conversation, or went back in it. */
export function isShortened(promptTokens: number, before: CachedPrefix): boolean {
  return promptTokens < before.promptTokens * leastShareOfBefore
}

function tokensIn(
  prefix: CachedPrefix,
  { modelId, effort }: Pick<Candidate, 'modelId' | 'effort'>,
  promptTokens: number,
): number {
  const { lifetimeMs = warmMs, readShare = 1 } = prefix
  if (prefix.modelId !== modelId || prefix.ageMs > lifetimeMs) return 0
  const { cachedTokens: reported = null, effort: before = effort } = prefix
  if (reported !== null) return effort === before ? Math.min(reported, promptTokens) : 0
  const shared = Math.min(prefix.promptTokens, promptTokens)
  if (shared < leastCachedTokens) return 0
  return Math.round(readableTokens(prefix, shared) * readShare)
}

export interface CacheFlow {
  cachedTokens: number
  writtenTokens: number
  isForAnHour: boolean
}

export type CacheContext = Pick<RoutingContext, 'lastAnswer' | 'writesCache'> & {
  effort?: string | null
}

/** What of the prompt will be read from the model's cache, and what written to it. */
export function cacheFlow(
  candidate: Candidate,
  promptTokens: number,
  { lastAnswer, writesCache, effort = null }: CacheContext,
): CacheFlow {
  const sent = { modelId: candidate.modelId, effort: candidate.effort ?? effort }
  const cached = cachedTokens(sent, promptTokens, lastAnswer)
  const isWritten = promptTokens >= leastCachedTokens && writesCache?.(candidate) === true
  return {
    cachedTokens: cached,
    writtenTokens: isWritten ? promptTokens - cached : 0,
    isForAnHour: lastAnswer?.lifetimeMs === hourMs,
  }
}

/**
 * The part of the prompt in the cache of the conversation's model, and the cost of reading it again; null for nothing.
 */
export function warmCache(
  candidates: readonly EstimatedCandidate[],
  context: PromptSize & CacheContext,
): DecisionRecord['warmCache'] | null {
  const { lastAnswer } = context
  if (lastAnswer === null) return null
  const holder = candidates.find(({ candidate: { modelId } }) => modelId === lastAnswer.modelId)
  if (holder === undefined) return null
  const { candidate, model } = holder
  const promptTokens = expectedPromptTokens(candidate, context)
  const flow = cacheFlow(candidate, promptTokens, context)
  const cold = cacheFlow(candidate, promptTokens, { ...context, lastAnswer: null })
  const costOf = (one: CacheFlow) =>
    expectedCostNanoUsd(candidate.price, { ...one, promptTokens, outputTokens: 0 })
  const worthNanoUsd = costOf(cold) - costOf(flow)
  return worthNanoUsd > 0 ? { model, tokens: flow.cachedTokens, worthNanoUsd } : null
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
