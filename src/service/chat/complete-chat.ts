/**
 * The life of one request, for every caller alike: HTTP, the chat window, later an agent's steps.
 * `admit` says whether it may be served (model, needs, quota); `run` serves it, meters it and writes
 * its one row into the ledger, however it ends.
 */
import type {
  ChatRequest,
  ChatUsage,
  FinishReason,
  RouterDecision,
  RouterMeta,
} from '../../shared/chat.ts'
import type { RequestRecord, RequestSource, Router } from '../../shared/entities.ts'
import type { TimeLimits } from '../../shared/time-limits.ts'
import { ServiceError } from '../errors.ts'
import type { Provider, ProviderChunk, ProviderError } from '../providers/provider.ts'
import type { Candidate, RankedCandidate, RoutingContext } from '../routing/candidate.ts'
import { rank } from '../routing/rank.ts'
import { runAttempts, StreamBroken } from './attempts.ts'
import type { Deployments } from './deployments.ts'
import { Meter } from './meter.ts'
import type { Quota, QuotaState } from './quota.ts'
import { readNeeds } from './request-needs.ts'

export interface ChatCall {
  /** UUIDv7; also the ledger's key. */
  requestId: string
  router: Router
  body: ChatRequest
  apiKeyId: string | null
  source: RequestSource
  /** Any unknown model name is read as "the router decides". */
  acceptAnyModel: boolean
}

export interface AdmittedChat {
  /** Null where the router has no limit. */
  quota: QuotaState | null
  /** To be iterated once; the signal is the caller's going away. */
  run(signal: AbortSignal): AsyncIterable<ChatPart>
}

/** What a caller gets: deltas as they arrive, and one end with everything that is known only then. */
export type ChatPart =
  | { kind: 'delta'; model: string; choices: ProviderChunk['choices'] }
  | {
      kind: 'end'
      model: string
      finishReasons: ReadonlyMap<number, FinishReason>
      usage: ChatUsage
      meta: RouterMeta
    }

export interface ChatDependencies {
  /** The router's models as candidates, in its order. */
  candidatesOf(router: Router): Candidate[]
  /** @throws ProviderError when it cannot be used now */
  providerOf(candidate: Candidate): Provider
  /** Why its provider is out until the user acts; null when it is not. */
  outageOf(candidate: Candidate): ProviderError | null
  timeLimitsOf(candidate: Candidate): TimeLimits
  deployments: Deployments
  quota: Quota
  /** Takes the row; must not throw. */
  record(row: RequestRecord): void
  onProviderFailure(providerId: string, error: ProviderError): void
  onProviderSuccess(providerId: string): void
  now(): number
  /** Monotonic milliseconds. */
  clock(): number
}

export interface CompleteChat {
  /**
   * @throws ServiceError model_not_found, agent_not_found, no_capable_model, daily_limit_exceeded,
   *   all_models_unavailable, storage_unavailable
   */
  admit(call: ChatCall): Promise<AdmittedChat>
}

/** The reason to abort with when the caller went away. */
export class ClientClosed extends Error {
  override readonly name = 'ClientClosed'

  constructor() {
    super('the client closed the connection')
  }
}

interface Plan {
  ranked: readonly RankedCandidate[]
  needs: RoutingContext
  decision: RouterDecision
}

export function createCompleteChat(dependencies: ChatDependencies): CompleteChat {
  return {
    async admit(call) {
      const startedAtMs = dependencies.now()
      const plan = planChat(call, dependencies.candidatesOf(call.router))
      const meter = new Meter({
        id: call.requestId,
        routerId: call.router.id,
        apiKeyId: call.apiKeyId,
        source: call.source,
        isStreamed: call.body.stream === true,
        routerDecision: plan.decision,
        estimatedPromptTokens: plan.needs.promptTokens,
        startedAtMs,
        clock: dependencies.clock,
      })
      const quota = await dependencies.quota.take(call.router)
      return { quota, run: (signal) => runChat({ call, plan, meter, signal }, dependencies) }
    },
  }
}

/** The decision, or the error that says why none is possible. */
function planChat(call: ChatCall, candidates: readonly Candidate[]): Plan {
  const needs = readNeeds(call.body)
  const pinned = pinnedCandidate(call, candidates)
  const strategy = pinned ? 'priority' : call.router.strategy
  const { ranked, excluded } = rank(pinned ? [pinned] : candidates, needs, strategy)
  if (ranked.length === 0 && excluded.length > 0) {
    const reasons = excluded.map(({ candidate, reason }) => `${candidate.modelId} ${reason}`)
    throw new ServiceError(
      'no_capable_model',
      `No model of this router can take the request: ${reasons.join('; ')}.`,
    )
  }
  if (ranked.length === 0) {
    throw new ServiceError(
      'all_models_unavailable',
      'None of the models of this router belongs to a configured provider. Add the provider or another model.',
      { headers: { 'x-should-retry': 'false' } },
    )
  }
  return { ranked, needs, decision: pinned ? 'pinned' : call.router.strategy }
}

/** Null where the router decides. */
function pinnedCandidate(call: ChatCall, candidates: readonly Candidate[]): Candidate | null {
  const model = call.body.model ?? ''
  if (model === '' || model === 'auto') return null
  if (model.startsWith('agent:')) {
    throw new ServiceError('agent_not_found', `There is no agent "${model.slice(6)}".`, {
      param: 'model',
    })
  }
  const pinned = candidates.find((candidate) => candidate.modelId === model)
  if (pinned) return pinned
  if (call.acceptAnyModel) return null
  const accepted = ['auto', ...candidates.map((candidate) => candidate.modelId)]
  throw new ServiceError(
    'model_not_found',
    `This router does not have the model "${model}". Leave "model" empty or send one of: ${accepted.join(', ')}.`,
    { param: 'model' },
  )
}

interface RunningChat {
  call: ChatCall
  plan: Plan
  meter: Meter
  signal: AbortSignal
}

async function* runChat(
  running: RunningChat,
  dependencies: ChatDependencies,
): AsyncGenerator<ChatPart> {
  const { meter, signal } = running
  // Left in place when the consumer stops iterating: that is the client going away, too.
  let outcome: Outcome = clientClosed
  try {
    for await (const part of meteredParts(running, dependencies)) {
      if (part.kind === 'end') outcome = { status: 200, code: null }
      yield part
    }
  } catch (error) {
    outcome = failureOutcome(signal.aborted ? signal.reason : error)
    throw error
  } finally {
    meter.stop()
    dependencies.record(meter.record(outcome.status, outcome.code))
  }
}

async function* meteredParts(
  { call, plan, meter, signal }: RunningChat,
  dependencies: ChatDependencies,
): AsyncGenerator<ChatPart> {
  const finishReasons = new Map<number, FinishReason>()
  let model = ''
  const isStreamed = call.body.stream === true
  const ranked = plan.ranked.map(({ candidate }) => candidate)
  // An order that a person gave is not ours to shuffle.
  const isOrdered = plan.decision === 'priority'
  const attempts = runAttempts({
    candidates: isOrdered ? ranked : dependencies.deployments.balanced(ranked, isStreamed),
    providerOf: dependencies.providerOf,
    outageOf: dependencies.outageOf,
    timeLimitsOf: dependencies.timeLimitsOf,
    deployments: dependencies.deployments,
    requestFor: ({ modelId }) => ({
      model: modelId.slice(modelId.indexOf(':') + 1),
      body: call.body,
      isStreamed,
    }),
    isStreamed,
    signal,
    onAttempt: () => meter.attempted(),
    onFailure: ({ providerId }, error) => dependencies.onProviderFailure(providerId, error),
    onSuccess: ({ providerId }) => dependencies.onProviderSuccess(providerId),
  })
  for await (const { candidate, chunk } of attempts) {
    model = candidate.modelId
    meter.add(candidate, chunk)
    for (const choice of chunk.choices) {
      if (choice.finish_reason) finishReasons.set(choice.index, choice.finish_reason)
    }
    if (chunk.choices.length > 0) yield { kind: 'delta', model, choices: chunk.choices }
  }
  meter.stop()
  yield { kind: 'end', model, finishReasons, usage: meter.usage(), meta: meter.meta() }
}

interface Outcome {
  status: number
  code: string | null
}

const clientClosed: Outcome = { status: 499, code: 'client_closed' }

function failureOutcome(error: unknown): Outcome {
  if (error instanceof ClientClosed) return clientClosed
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof ServiceError) return { status: cause.status, code: cause.code }
  return { status: 500, code: 'internal_error' }
}
