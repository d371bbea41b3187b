/** The tokens of a prompt: counted by the vendor of the model that the router would choose, or estimated. */
import { createHash } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import { ProviderError, type Provider } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { countPrompt } from '../admission/request-needs.ts'
import { withTiers } from '../attempts/cascade-plan.ts'
import type { ChatCall, Plan } from '../chat-call.ts'
import { upstreamsOf, type UpstreamDependencies } from '../chat-upstreams.ts'
import { firstAttempt, planUnexplored, type PreviewDependencies } from '../preview.ts'
import { VendorCounts } from './vendor-counts.ts'

export interface TokenCount {
  tokens: number
  isEstimated: boolean
}

/** Counts a prompt's tokens. The count is free of every limit, and nothing is stored. */
export type CountTokens = (call: ChatCall) => Promise<TokenCount>

export function createCountTokens(
  dependencies: PreviewDependencies & UpstreamDependencies,
): CountTokens {
  const counts = new VendorCounts(dependencies)
  return async (call) => {
    const chosen = chosenFor(call, dependencies)
    const tokens = chosen === null ? null : await countAt(chosen, { call, counts, dependencies })
    if (tokens !== null) return { tokens, isEstimated: false }
    return { tokens: countPrompt(call.body, chosen?.candidate), isEstimated: true }
  }
}

interface ChosenModel {
  candidate: Candidate
  plan: Plan
}

function chosenFor(call: ChatCall, dependencies: PreviewDependencies): ChosenModel | null {
  try {
    const plan = withTiers(call, planUnexplored(call, dependencies))
    return { plan, candidate: firstAttempt(call, plan, dependencies).candidate }
  } catch (error) {
    // No model could answer it now. The estimate needs none.
    if (error instanceof ServiceError) return null
    throw error
  }
}

interface Counting {
  call: ChatCall
  counts: VendorCounts
  dependencies: UpstreamDependencies
}

/** @returns null when the model's vendor does not count */
async function countAt(
  { candidate, plan }: ChosenModel,
  { call, counts, dependencies }: Counting,
): Promise<number | null> {
  const provider = usable(() => dependencies.providerOf(candidate))
  const count = provider?.countTokens
  if (count === undefined) return null
  const { providerId, modelId } = candidate
  const request = upstreamsOf({ call, plan }, dependencies).requestFor(candidate)
  const prompt = request.original?.text ?? JSON.stringify(request.body)
  return await counts.count({
    providerId,
    identity: createHash('sha256').update(`${modelId}\n${prompt}`).digest('base64'),
    count: (signal) => count(request, signal),
  })
}

function usable(open: () => Provider): Provider | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
