/** The decision: who is able to answer, and in which order they are tried. */
import type { StrategyName } from '../../shared/chat.ts'
import type { Capability } from '../../shared/entities.ts'
import type { Candidate, Decision, ExcludedCandidate, RoutingContext } from './candidate.ts'
import { strategies } from './strategies/index.ts'

const needInWords: Record<Capability, string> = {
  tools: 'tools',
  vision: 'images',
  audio: 'audio',
  json: 'JSON output',
}

/** Leaves out who cannot answer, and orders the rest by the strategy. */
export function rank(
  candidates: readonly Candidate[],
  context: RoutingContext,
  strategy: StrategyName,
): Decision {
  const excluded: ExcludedCandidate[] = []
  const able: Candidate[] = []
  for (const candidate of candidates) {
    const reason = whyNot(candidate, context)
    if (reason) excluded.push({ candidate, ...reason })
    else able.push(candidate)
  }
  return { ranked: strategies[strategy](able, context), excluded }
}

function whyNot(
  candidate: Candidate,
  context: RoutingContext,
): Omit<ExcludedCandidate, 'candidate'> | null {
  const missing = context.needs.find((need) => !candidate.capabilities.includes(need))
  if (missing) {
    return { code: 'lacks_capability', reason: `does not take ${needInWords[missing]}` }
  }
  const { contextTokens, maxOutputTokens } = candidate
  if (contextTokens !== null && context.promptTokens >= contextTokens) {
    const reason = `holds ${contextTokens} tokens, the messages are about ${context.promptTokens}`
    return { code: 'context_too_small', reason }
  }
  const wanted = context.maxOutputTokens
  if (maxOutputTokens !== null && wanted !== null && wanted > maxOutputTokens) {
    const reason = `answers with ${maxOutputTokens} tokens at the most, ${wanted} were asked for`
    return { code: 'output_too_small', reason }
  }
  return null
}
