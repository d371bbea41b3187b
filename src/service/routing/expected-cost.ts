import type { Candidate, RoutingContext } from './candidate.ts'

/** Output assumed where the caller set no limit: a medium chat answer. */
const assumedOutputTokens = 300

/** What an answer of this model is expected to cost. @param cachedTokens  of the prompt, at the price of a cache */
export function expectedCostUsd(
  { price }: Candidate,
  context: RoutingContext,
  cachedTokens = 0,
): number {
  const { inputUsdPerMtok, outputUsdPerMtok } = price
  const outputTokens = Math.min(context.maxOutputTokens ?? Infinity, assumedOutputTokens)
  const input = (context.promptTokens - cachedTokens) * inputUsdPerMtok
  const cached = cachedTokens * (price.cacheReadUsdPerMtok ?? inputUsdPerMtok)
  return (input + cached + outputTokens * outputUsdPerMtok) / 1e6
}
