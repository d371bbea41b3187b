/** Excludes candidates that cannot or may not answer, with the first reason that applies. */
import { makesEmbeddings, type Capability } from '../../shared/models/model-abilities.ts'
import { leastPromptTokens } from './prompt-size.ts'
import type {
  Candidate,
  EstimatedCandidate,
  ExcludedCandidate,
  ExclusionCode,
  RoutingContext,
  RoutingPolicy,
} from './candidate.ts'

const needInWords: Record<Capability, string> = {
  tools: 'tools',
  vision: 'images',
  audio: 'audio',
  json: 'a JSON schema',
  json_object: 'JSON output',
  files: 'files',
  n: 'several answers at once (n)',
  logprobs: 'logprobs',
  seed: 'a seed',
  embeddings: 'embeddings',
}

type Constraint = (
  one: EstimatedCandidate,
  context: RoutingContext,
  policy: RoutingPolicy,
) => string | null

/** Constraints in the order in which they are checked. */
const constraints: readonly [ExclusionCode, Constraint][] = [
  ['provider_excluded', providerExcluded],
  ['region_excluded', regionExcluded],
  ['not_local', notLocal],
  ['lacks_capability', lacksCapability],
  ['context_too_small', contextTooSmall],
  ['output_too_small', outputTooSmall],
  ['over_cost_cap', overCostCap],
]

/** @returns null when the candidate can answer */
export function whyExcluded(
  one: EstimatedCandidate,
  context: RoutingContext,
  policy: RoutingPolicy,
): Pick<ExcludedCandidate, 'code' | 'reason'> | null {
  for (const [code, constraint] of constraints) {
    const reason = constraint(one, context, policy)
    if (reason !== null) return { code, reason }
  }
  return null
}

type Placed = Pick<EstimatedCandidate, 'candidate'>
type Needs = Pick<RoutingContext, 'needs'>
/** The router's rules that a candidate meets or fails for any request. */
type StandingRules = Pick<RoutingPolicy, 'providers' | 'regions' | 'localOnly' | 'requires'>

/** Whether some request could go to the candidate. */
export function isEligible(candidate: Candidate, rules: StandingRules): boolean {
  return standingConstraints.every(
    (constraint) => constraint({ candidate }, noNeeds, rules) === null,
  )
}

const noNeeds = { needs: [] }
const standingConstraints = [providerExcluded, regionExcluded, notLocal, lacksCapability]

function providerExcluded(
  { candidate: { providerId } }: Placed,
  _context: Needs,
  { providers }: StandingRules,
): string | null {
  if (providers === null || providers.includes(providerId)) return null
  return `is at ${providerId}; the router allows only ${providers.join(', ')}`
}

function regionExcluded(
  { candidate: { region } }: Placed,
  _context: Needs,
  { regions }: StandingRules,
): string | null {
  if (regions === null || (region !== null && regions.includes(region))) return null
  const where = region === null ? 'runs in an unknown region' : `runs in ${region}`
  return `${where}; the router allows only ${regions.join(', ')}`
}

function notLocal(
  { candidate: { isLocal } }: Placed,
  _context: Needs,
  { localOnly }: StandingRules,
): string | null {
  return localOnly && !isLocal
    ? 'does not run on this computer; the router allows only local models'
    : null
}

function lacksCapability(
  { candidate: { capabilities } }: Placed,
  { needs }: Needs,
  { requires }: StandingRules,
): string | null {
  if (makesEmbeddings({ capabilities }) && !needs.includes('embeddings'))
    return 'makes embeddings and cannot chat'
  const missing = needs.filter((need) => !isAble(capabilities, need))
  if (missing.length > 0)
    return `does not support ${missing.map((need) => needInWords[need]).join(', ')}`
  const demanded = requires.filter((need) => !isAble(capabilities, need))
  if (demanded.length === 0) return null
  const words = demanded.map((need) => needInWords[need]).join(', ')
  return `does not support ${words}, which the router requires`
}

/** A model that supports JSON schemas also supports JSON without one. */
function isAble(capabilities: readonly Capability[], need: Capability): boolean {
  return capabilities.includes(need) || (need === 'json_object' && capabilities.includes('json'))
}

/** Says when a prompt certainly does not fit; else the model's own answer decides, and the next model is tried. */
function contextTooSmall(
  { candidate }: EstimatedCandidate,
  context: RoutingContext,
): string | null {
  const { contextTokens } = candidate
  if (contextTokens === null) return null
  const { maxOutputTokens: wanted, takesShorter, longestInputTokens } = context
  const room = `has a context of ${contextTokens} tokens`
  if (longestInputTokens !== undefined) {
    if (longestInputTokens <= contextTokens) return null
    return `${room}; the longest input has ${longestInputTokens} or more`
  }
  const least = leastPromptTokens(candidate, context)
  const answer = takesShorter === true ? 0 : (wanted ?? 0)
  if (least + answer <= contextTokens) return null
  const wish = answer === 0 ? '' : ` and the answer may take ${answer}`
  return `${room}; the messages take at least ${least}${wish}`
}

function outputTooSmall(
  { candidate: { maxOutputTokens } }: EstimatedCandidate,
  { maxOutputTokens: wanted, takesShorter }: RoutingContext,
): string | null {
  if (maxOutputTokens === null || wanted === null || wanted <= maxOutputTokens) return null
  if (takesShorter === true) return null
  return `answers with at most ${maxOutputTokens} tokens; the request asks for ${wanted}`
}

function overCostCap(
  { estimate: { costP90NanoUsd } }: EstimatedCandidate,
  _context: RoutingContext,
  { maxCostUsdPerRequest }: RoutingPolicy,
): string | null {
  if (maxCostUsdPerRequest === null || costP90NanoUsd <= maxCostUsdPerRequest * 1e9) return null
  const usd = (costP90NanoUsd / 1e9).toPrecision(3)
  return `may cost $${usd}; the router allows $${maxCostUsdPerRequest} for one request`
}
