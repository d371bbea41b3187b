import type { Candidate, RoutingContext } from '../candidate.ts'
import type { Strategy } from './strategy.ts'

/** Output assumed where the caller set no limit: a medium chat answer. */
const assumedOutputTokens = 300

/** Cheapest expected answer first; models that cost the same keep the router's order. */
export const costOptimized: Strategy = (candidates, context) =>
  candidates
    .map((candidate) => ({ candidate, costUsd: expectedCostUsd(candidate, context) }))
    .toSorted((a, b) => a.costUsd - b.costUsd || a.candidate.position - b.candidate.position)
    .map(({ candidate, costUsd }) => ({
      candidate,
      reason: `expected to cost $${costUsd.toPrecision(3)}`,
    }))

function expectedCostUsd({ price }: Candidate, context: RoutingContext): number {
  const outputTokens = Math.min(context.maxOutputTokens ?? Infinity, assumedOutputTokens)
  const input = context.promptTokens * price.inputUsdPerMtok
  return (input + outputTokens * price.outputUsdPerMtok) / 1e6
}
