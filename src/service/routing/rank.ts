/** The decision: who is able to answer, and in which order they are tried. */
import type { StrategyName } from '../../shared/chat.ts'
import type { Capability } from '../../shared/model-abilities.ts'
import type { Candidate, Decision, ExcludedCandidate, RoutingContext } from './candidate.ts'
import { strategies } from './strategies/index.ts'

const needInWords: Record<Capability, string> = {
  tools: 'tools',
  vision: 'images',
  audio: 'audio',
  json: 'a JSON schema',
  json_object: 'JSON output',
  files: 'files',
  n: 'several answers at once (n)',
  logprobs: 'logprobs',
  seed: 'a seed with a promise',
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
  const missing = context.needs.filter((need) => !isAble(candidate, need))
  if (missing.length > 0) {
    const reason = `does not take ${missing.map((need) => needInWords[need]).join(', ')}`
    return { code: 'lacks_capability', reason }
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

/** Who takes a JSON schema takes JSON without one. */
function isAble({ capabilities }: Candidate, need: Capability): boolean {
  return capabilities.includes(need) || (need === 'json_object' && capabilities.includes('json'))
}
