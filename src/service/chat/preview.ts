/**
 * The decision for a request without sending it. It plans the request as `complete-chat.ts` does, and counts,
 * reserves, learns and stores nothing. Quotas, burst limits and budgets are not checked.
 */
import type { Estimate } from '../../shared/requests/detail.ts'
import type { ExpectedFigures, Preview } from '../../shared/routers/preview.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import { ServiceError } from '../errors.ts'
import type { Candidate } from '../routing/candidate.ts'
import { explore } from '../routing/explore.ts'
import type { Pacing } from './admission/pacing.ts'
import { allUnavailable, causeOf } from './attempts/all-unavailable.ts'
import { isPassedOver } from './attempts/cascade.ts'
import { withTiers } from './attempts/cascade-plan.ts'
import { CandidateQueue } from './attempts/candidate-queue.ts'
import { fittingBody } from './attempts/original-call.ts'
import type { ChatCall, Plan, PlannedTier } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { mayHedge } from './chat-run.ts'
import { explainDetail } from './explain-detail.ts'
import { meterCall } from './metering/meter-call.ts'
import { planChat } from './plan.ts'

export type PreviewDependencies = Pick<
  ChatDependencies,
  | 'agents'
  | 'candidatesOf'
  | 'conversationMemory'
  | 'isPromptCachingOn'
  | 'pinOf'
  | 'knowledgeOf'
  | 'ownKinds'
  | 'promptShares'
  | 'outageOf'
  | 'formOf'
  | 'now'
  | 'clock'
> &
  Pick<Pacing, 'nextSpendingOf'> & {
    statistics: Pick<ChatDependencies['statistics'], 'mayLookAt'>
    deployments: Pick<ChatDependencies['deployments'], 'standing' | 'isHealthy'>
  }

export type PreviewChat = (call: ChatCall) => Preview

/**
 * @throws ServiceError invalid_parameter for an agent, and as `CompleteChat.admit` does before the limits;
 *   all_models_unavailable when no model can be asked now
 */
export function previewChat(call: ChatCall, given: PreviewDependencies): Preview {
  refuseAgents(call)
  const candidates = given.candidatesOf(call.router)
  const dependencies = { ...given, candidatesOf: () => candidates }
  const plan = withTiers(call, planUnexplored(call, dependencies))
  const first = firstAttempt(call, plan, dependencies)
  const form = dependencies.formOf(first.candidate)
  const { adjusted } = fittingBody(call, first.candidate, { form, prompt: plan.prompt })
  const record = { ...plan.record, adjusted }
  const meter = meterCall(call, {
    decision: record,
    prompt: plan.prompt,
    startedAtMs: dependencies.now(),
    clock: dependencies.clock,
  })
  const decision = explainDetail(meter.detail())
  return {
    object: 'modelport.preview',
    model: first.candidate.modelId,
    ...(first.candidate.effort !== null && { effort: first.candidate.effort }),
    routerDecision: record.strategy,
    ...(reasonBesides(first, plan) ?? { why: decision.why, flip: decision.flip }),
    expected: expectedFigures(
      estimatesOf(first, plan, () =>
        planUnexplored({ ...call, body: { ...call.body, stream: false } }, dependencies),
      ),
      record.promptTokens,
    ),
    skipped: first.skipped,
    explorationShare: explorationShare(call, plan),
    mayHedge: mayHedge({ call, plan }),
    decision,
  }
}

function refuseAgents({ body }: ChatCall): void {
  if (!body.model?.startsWith('agent:')) return
  throw new ServiceError(
    'invalid_parameter',
    'An agent sends several requests, so its decision cannot be previewed. Leave out the header x-modelport-preview, or leave "model" empty.',
    { param: 'x-modelport-preview' },
  )
}

/** The strategy's own order: nothing is drawn, so that two previews of a request are equal. */
export function planUnexplored(call: ChatCall, dependencies: PreviewDependencies): Plan {
  const { router } = call
  const routing = { ...router.routing, explorationShare: 0 }
  return planChat(
    { ...call, router: { ...router, routing } },
    {
      ...dependencies,
      spendingOf: (_router, ...request) => dependencies.nextSpendingOf(router, ...request),
    },
  )
}

export interface FirstAttempt {
  candidate: Candidate
  /** Asked at the same time, by a cascade. */
  others: readonly Candidate[]
  tier: PlannedTier | null
  skipped: Preview['skipped']
}

/** @throws ServiceError all_models_unavailable */
export function firstAttempt(
  { router }: Pick<ChatCall, 'router'>,
  { ranked, tiers = [] }: Plan,
  { outageOf, deployments }: Pick<PreviewDependencies, 'outageOf' | 'deployments'>,
): FirstAttempt {
  const availability = { upstreams: { outageOf }, deployments }
  const tier = tiers.find((one) => !isPassedOver(one, availability)) ?? null
  const [ofTier, ...others] = tier?.candidates ?? []
  if (ofTier) return { candidate: ofTier, others, tier, skipped: [] }
  const ordered = ranked.map(({ candidate }) => candidate)
  const candidates = router.routing.fallback ? ordered : ordered.slice(0, 1)
  const candidate = new CandidateQueue({ candidates, ...availability }).next()
  if (!candidate) throw allUnavailable([], { candidates, ...availability })
  const skipped = candidates
    .slice(0, candidates.indexOf(candidate))
    .map((one) => ({ model: one.modelId, reason: causeOf(one, availability) }))
  return { candidate, others: [], tier: null, skipped }
}

/** Why the first attempt is not the strategy's first model; null when it is. */
export function reasonBesides(
  { tier, skipped }: FirstAttempt,
  { record }: Plan,
): Pick<Preview, 'why' | 'flip'> | null {
  if (tier) {
    const number = (record.cascade ?? []).indexOf(tier.record) + 1
    const why = `Attempt ${number} of the cascade asks ${tier.record.models.join(' and ')} first. The strategy’s order follows if no answer passes its check.`
    return { why, flip: null }
  }
  if (skipped.length === 0) return null
  const causes = skipped.map(({ model, reason }) => `${model}: ${reason}`).join('; ')
  return { why: `The next in the order. ${causes}.`, flip: null }
}

/** A cascade asks for whole answers, also for a stream. */
function estimatesOf(
  { candidate, others, tier }: FirstAttempt,
  plan: Plan,
  planWhole: () => Plan,
): Estimate[] {
  const { ranked } = tier !== null && plan.record.isStreamed ? planWhole() : plan
  return [candidate, ...others].flatMap((asked) =>
    ranked.filter((one) => one.candidate === asked).map(({ estimate }) => estimate),
  )
}

/** @param estimates  of the models that are asked at the same time; the answering one first */
export function expectedFigures(
  estimates: readonly Estimate[],
  promptTokens: number,
): ExpectedFigures {
  const [first] = estimates
  if (!first) throw new Error('the first attempt has no estimate')
  const sum = (of: (one: Estimate) => number) =>
    estimates.reduce((total, one) => total + of(one), 0)
  const longest = (of: (one: Estimate) => number) => Math.max(...estimates.map(of))
  return {
    costUsd: sum(({ costNanoUsd }) => costNanoUsd) / 1e9,
    costP90Usd: sum(({ costP90NanoUsd }) => costP90NanoUsd) / 1e9,
    latencyMs: longest(({ latencyMs }) => latencyMs),
    latencyP95Ms: longest(({ latencyP95Ms }) => latencyP95Ms),
    latencySource: first.latencySource,
    quality: first.quality,
    qualityHalfWidth: first.qualityHalfWidth,
    carbonGrams: sum(({ micrograms }) => micrograms) / 1e6,
    carbonLowGrams: sum(({ lowMicrograms }) => lowMicrograms) / 1e6,
    carbonHighGrams: sum(({ highMicrograms }) => highMicrograms) / 1e6,
    promptTokens,
    outputTokens: first.outputTokens,
  }
}

/** @returns 0 where exploring has no effect: the model is given or kept, or no other one is good enough */
function explorationShare({ router, requestId }: ChatCall, { ranked, record }: Plan): number {
  const { strategy, parameters, kept } = record
  if (strategy === 'pinned' || parameters === null || kept !== null) return 0
  if (!strategyProfiles[strategy].explores) return 0
  const share = router.routing.explorationShare
  return explore(ranked, { share, parameters, requestId }).drawnWith === null ? 0 : share
}
