/**
 * Whether a conversation stays with the model that answered last. Two reasons: while a tool's result is
 * awaited the model does not change, because the call is its own (and carries its own way of thinking);
 * and a provider that still has the prompt in its cache charges a fraction for it, so that the model of
 * the last turn may be the cheapest even where another costs less per token.
 */
import type { StrategyName } from '../../shared/chat.ts'
import type { RankedCandidate, RoutingContext } from './candidate.ts'
import { expectedCostUsd } from './expected-cost.ts'

/** The last answer of a conversation. */
export interface Turn {
  modelId: string
  /** Estimated, of the prompt it answered. */
  promptTokens: number
  ageMs: number
}

export interface KeptOrder {
  ranked: readonly RankedCandidate[]
  /** The first is the model of the conversation, and stays so whatever its load. */
  keepsFirst: boolean
}

/** OpenAI's caches live "5 to 10 minutes of inactivity", Anthropic's 5 unless paid for: the lesser. */
const warmMs = 300_000
/** OpenAI and most others cache no prompt that is shorter. */
const leastCachedTokens = 1024

/** @param isToolPending  whether the request brings the result of a tool */
export function keepModel(
  ranked: readonly RankedCandidate[],
  turn: Turn,
  request: { context: RoutingContext; strategy: StrategyName; isToolPending: boolean },
): KeptOrder {
  const kept = ranked.find(({ candidate }) => candidate.modelId === turn.modelId)
  const why = kept && reasonToKeep(kept, { ranked, turn, ...request })
  if (!kept || !why) return { ranked, keepsFirst: false }
  const reason = `same model as the conversation so far, ${why}`
  const others = ranked.filter((one) => one !== kept)
  return { ranked: [{ candidate: kept.candidate, reason }, ...others], keepsFirst: true }
}

interface Question {
  ranked: readonly RankedCandidate[]
  turn: Turn
  context: RoutingContext
  strategy: StrategyName
  isToolPending: boolean
}

function reasonToKeep(kept: RankedCandidate, question: Question): string | null {
  const { ranked, turn, context, strategy } = question
  if (question.isToolPending) return 'whose tool was called'
  // An order that a person gave is not ours to change for a few cents.
  if (strategy === 'priority' || turn.ageMs > warmMs) return null
  const [first] = ranked
  const cachedTokens = Math.min(turn.promptTokens, context.promptTokens)
  if (cachedTokens < leastCachedTokens) return null
  const costUsd = expectedCostUsd(kept.candidate, context, cachedTokens)
  const costsNoMore = first && costUsd <= expectedCostUsd(first.candidate, context)
  return costsNoMore ? `expected to cost $${costUsd.toPrecision(3)} with its prompt cache` : null
}
