/**
 * The life of one request, for every caller alike: HTTP, the chat window, later an agent's steps.
 * `admit` says whether it may be served (model, needs, quota); `run` serves it, meters it and writes
 * its one row into the ledger, however it ends.
 */
import type {
  ChatRequest,
  ChatUsage,
  ChunkChoice,
  FinishReason,
  RouterDecision,
  RouterMeta,
} from '../../shared/chat.ts'
import type {
  DecisionRecord,
  ExplainedMeta,
  RequestDetail,
  RequestRecord,
  RequestSource,
  Router,
} from '../../shared/entities.ts'
import type { Adjustment, Capability } from '../../shared/model-abilities.ts'
import type { TimeLimits } from '../../shared/time-limits.ts'
import { ServiceError } from '../errors.ts'
import type { Provider, ProviderError } from '../providers/provider.ts'
import type { Candidate, Decision, RankedCandidate, RoutingContext } from '../routing/candidate.ts'
import { rank } from '../routing/rank.ts'
import { adjustBody, notAdjusted } from './adjust.ts'
import { runAttempts, StreamBroken } from './attempts.ts'
import type { Deployments } from './deployments.ts'
import { Meter } from './meter.ts'
import type { Quota, QuotaState } from './quota.ts'
import { readNeeds } from './request-needs.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'

export interface ChatCall {
  /** UUIDv7; also the ledger's key. */
  requestId: string
  router: Router
  body: ChatRequest
  apiKeyId: string | null
  source: RequestSource
  /** Any unknown model name is read as "the router decides". */
  acceptAnyModel: boolean
  /** How the caller's program names itself; null for the chat window. */
  client: string | null
  /** What the model must promise beyond what the body needs. */
  requires?: readonly Capability[] | undefined
  /** Told, before each attempt, what is changed for its model, where that is another than before. */
  onAdjusted?: ((adjusted: readonly Adjustment[]) => void) | undefined
}

export interface AdmittedChat {
  /** Null where the router has no limit. */
  quota: QuotaState | null
  /** To be iterated once; the signal is the caller's going away. */
  run(signal: AbortSignal): AsyncIterable<ChatPart>
}

/** What a caller gets: deltas as they arrive, and one end with everything that is known only then. */
export type ChatPart =
  | { kind: 'delta'; model: string; choices: ChunkChoice[] }
  | {
      kind: 'end'
      model: string
      finishReasons: ReadonlyMap<number, FinishReason>
      usage: ChatUsage
      meta: RouterMeta
      /** What `x-modelport-explain` adds to `_meta`. */
      explain(): RequestDetail
    }

/** `_meta` as it is sent: its five fields, and the decision for a caller that asked for it. */
export function metaOf(
  end: Extract<ChatPart, { kind: 'end' }>,
  isExplained: boolean,
): RouterMeta | ExplainedMeta {
  return isExplained ? { ...end.meta, decision: end.explain() } : end.meta
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
  record(row: RequestRecord, detail: RequestDetail): void
  onProviderFailure(providerId: string, error: ProviderError): void
  /** @param latencyMs  from being asked to its first delta */
  onProviderSuccess(providerId: string, latencyMs: number): void
  onBug(error: unknown): void
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
  record: DecisionRecord
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
        client: call.client,
        decision: plan.record,
        startedAtMs,
        clock: dependencies.clock,
      })
      const quota = await dependencies.quota.take(call.router)
      return {
        quota,
        run: (signal) => runChat({ call, plan, meter, signal }, dependencies),
      }
    },
  }
}

/** The decision, or the error that says why none is possible. */
function planChat(call: ChatCall, candidates: readonly Candidate[]): Plan {
  const needs = readNeeds(call.body, call.requires)
  const pinned = pinnedCandidate(call, candidates)
  const strategy = pinned ? 'priority' : call.router.strategy
  const { ranked, excluded } = rank(pinned ? [pinned] : candidates, needs, strategy)
  if (ranked.length === 0 && excluded.length > 0) {
    const isTooLong = excluded.every(({ code }) => code === 'context_too_small')
    const reasons = excluded.map(({ candidate, reason }) => `${candidate.modelId} ${reason}`)
    throw new ServiceError(
      isTooLong ? 'context_length_exceeded' : 'no_capable_model',
      `No model of this router can take the request: ${reasons.join('; ')}.`,
      isTooLong ? { param: 'messages' } : {},
    )
  }
  if (ranked.length === 0) {
    throw new ServiceError(
      'all_models_unavailable',
      'None of the models of this router belongs to a configured provider. Add the provider or another model.',
      { headers: { 'x-should-retry': 'false' } },
    )
  }
  const decision = pinned ? 'pinned' : call.router.strategy
  return { ranked, record: toRecord({ ranked, excluded }, needs, decision) }
}

function toRecord(
  { ranked, excluded }: Decision,
  { promptTokens, needs }: RoutingContext,
  strategy: RouterDecision,
): DecisionRecord {
  return {
    strategy,
    promptTokens,
    needs: [...needs],
    ranked: ranked.map(({ candidate, reason }) => ({ model: candidate.modelId, reason })),
    excluded: excluded.map(({ candidate, code, reason }) => ({
      model: candidate.modelId,
      code,
      reason,
    })),
    adjusted: notAdjusted,
  }
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
    dependencies.record(meter.record(outcome.status, outcome.code), meter.detail())
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
  const isOrdered = plan.record.strategy === 'priority'
  const attempts = runAttempts({
    candidates: isOrdered ? ranked : dependencies.deployments.balanced(ranked, isStreamed),
    providerOf: dependencies.providerOf,
    outageOf: dependencies.outageOf,
    timeLimitsOf: dependencies.timeLimitsOf,
    deployments: dependencies.deployments,
    requestFor({ modelId, parameters }) {
      const { body, adjusted } = adjustBody(call.body, parameters)
      if (adjusted !== plan.record.adjusted) call.onAdjusted?.(adjusted)
      plan.record.adjusted = adjusted
      return { model: modelId.slice(modelId.indexOf(':') + 1), body, isStreamed }
    },
    isStreamed,
    signal,
    onAttempt: (candidate) => meter.attempt(candidate),
    onFailure({ providerId }, error) {
      meter.attemptEnded(error)
      dependencies.onProviderFailure(providerId, error)
    },
    onSuccess({ providerId }) {
      meter.attemptEnded(null)
      dependencies.onProviderSuccess(providerId, meter.attemptLatencyMs())
    },
    onBug: dependencies.onBug,
  })
  const toolCalls = new ToolCallNormalizer(newToolCallId)
  for await (const { candidate, chunk } of attempts) {
    model = candidate.modelId
    meter.add(candidate, chunk)
    const choices = toolCalls.normalize(chunk.choices)
    for (const choice of choices) {
      if (choice.finish_reason) finishReasons.set(choice.index, choice.finish_reason)
    }
    if (choices.length > 0) yield { kind: 'delta', model, choices }
  }
  meter.stop()
  yield {
    kind: 'end',
    model,
    finishReasons,
    usage: meter.usage(),
    meta: meter.meta(),
    explain: () => meter.detail(),
  }
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
