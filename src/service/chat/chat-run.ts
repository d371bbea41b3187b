/** One admitted request on its way: attempts, meter, and the one row in the ledger however it ends. */
import type { ChunkChoice, FinishReason } from '../../shared/chat.ts'
import type { TimeLimits } from '../../shared/time-limits.ts'
import { ServiceError } from '../errors.ts'
import type { Provider, ProviderError, ProviderRequest } from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import { adjustBody, limitAnswer } from './adjust.ts'
import { attemptStreamed, attemptWhole, StreamBroken, type AttemptsOptions } from './attempts.ts'
import {
  ClientClosed,
  type AnswerFigures,
  type ChatCall,
  type ChatDependencies,
  type ChatPart,
  type FinishedChat,
  type Plan,
} from './chat-call.ts'
import { awaitsToolResult } from './conversation-memory.ts'
import type { Deployments } from './deployments.ts'
import type { Hedge } from './hedge.ts'
import type { Meter } from './meter.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'

export interface RunningChat {
  call: ChatCall
  plan: Plan
  meter: Meter
  /** Aborted when the caller goes away. */
  signal: AbortSignal
}

/** Either `complete` or `stream` is to be called, once. */
export class ChatRun implements AttemptsOptions {
  readonly candidates: readonly Candidate[]
  readonly isStreamed: boolean
  readonly hedge: Hedge | null
  readonly signal: AbortSignal
  readonly #chat: RunningChat
  readonly #dependencies: ChatDependencies
  /** On this computer, and asked before it was loaded. */
  #coldModel: string | null = null

  constructor(chat: RunningChat, dependencies: ChatDependencies) {
    const { call, plan, signal } = chat
    this.#chat = chat
    this.#dependencies = dependencies
    this.isStreamed = call.body.stream === true
    this.signal = signal
    this.hedge = hedgeOf(chat, dependencies)
    const ordered = inOrder(plan, (ranked) =>
      dependencies.deployments.balanced(ranked, this.isStreamed),
    )
    this.candidates = call.router.routing.fallback ? ordered : ordered.slice(0, 1)
  }

  async complete(): Promise<FinishedChat> {
    const { meter } = this.#chat
    try {
      const { candidate, answer } = await attemptWhole(this)
      meter.answered(candidate, answer)
      meter.stop()
      this.#learn(answer.choices.some(({ finish_reason }) => finish_reason === 'length'))
      this.#record(answered)
      return { choices: answer.choices, ...this.#figures(candidate.modelId) }
    } catch (error) {
      meter.stop()
      this.#record(failureOutcome(this.signal.aborted ? this.signal.reason : error))
      throw error
    }
  }

  async *stream(): AsyncGenerator<ChatPart> {
    const { meter } = this.#chat
    const finishReasons = new Map<number, FinishReason>()
    const toolCalls = new ToolCallNormalizer(newToolCallId)
    // Left in place when the consumer stops iterating: that is the client going away, too.
    let outcome: Outcome = clientClosed
    let model = ''
    try {
      for await (const { candidate, chunk } of attemptStreamed(this)) {
        model = candidate.modelId
        meter.add(candidate, chunk)
        const choices = toolCalls.normalize(chunk.choices)
        noteEnds(choices, finishReasons)
        if (choices.length > 0) yield { kind: 'delta', model, choices }
      }
      meter.stop()
      this.#learn([...finishReasons.values()].includes('length'))
      outcome = answered
      yield { kind: 'end', finishReasons, ...this.#figures(model) }
    } catch (error) {
      outcome = failureOutcome(this.signal.aborted ? this.signal.reason : error)
      throw error
    } finally {
      meter.stop()
      this.#record(outcome)
    }
  }

  #figures(model: string): AnswerFigures {
    const { meter } = this.#chat
    return { model, usage: meter.usage(), meta: meter.meta(), explain: () => meter.detail() }
  }

  #record({ status, code }: Outcome): void {
    const { meter } = this.#chat
    const row = meter.record(status, code)
    this.hedge?.finished(row.costNanoUsd, meter.lostNanoUsd())
    const detail = meter.detail()
    this.#dependencies.record(row, detail)
    this.#chat.call.step?.onRecord(row, detail)
  }

  /** Of several answers at once nothing says how long one of them would have taken. */
  #learn(isCutOff: boolean): void {
    const { meter, plan } = this.#chat
    const sample = plan.record.needs.includes('n') ? null : meter.sample()
    if (sample === null) return
    const isCold = sample.candidate.modelId === this.#coldModel
    this.#dependencies.statistics.answered({ ...sample, isCold, isCutOff })
  }

  // ---- what the attempts ask and tell ----

  get deployments(): Deployments {
    return this.#dependencies.deployments
  }

  providerOf(candidate: Candidate): Provider {
    return this.#dependencies.providerOf(candidate)
  }

  outageOf(candidate: Candidate): ProviderError | null {
    return this.#dependencies.outageOf(candidate)
  }

  timeLimitsOf(candidate: Candidate): TimeLimits {
    return this.#dependencies.timeLimitsOf(candidate, this.#chat.call.router)
  }

  requestFor(candidate: Candidate): ProviderRequest {
    const { modelId, parameters } = candidate
    const { call, plan } = this.#chat
    const limit = plan.outputLimits?.get(modelId)
    const { body, adjusted } =
      limit === undefined
        ? adjustBody(call.body, parameters)
        : limitAnswer(call.body, parameters, limit)
    if (adjusted !== plan.record.adjusted) call.onAdjusted?.(adjusted)
    plan.record.adjusted = adjusted
    const model = modelId.slice(modelId.indexOf(':') + 1)
    const { connectMs } = this.timeLimitsOf(candidate)
    return { model, body, isStreamed: this.isStreamed, connectMs }
  }

  onAttempt(candidate: Candidate): void {
    if (this.#dependencies.statistics.isCold(candidate)) this.#coldModel = candidate.modelId
    this.#chat.meter.attempt(candidate)
  }

  onFailure(candidate: Candidate, error: ProviderError): void {
    const { meter } = this.#chat
    const tookMs = meter.attemptEnded(candidate, error)
    if (error.kind === 'timeout' && !meter.hasBegun) {
      const isCold = candidate.modelId === this.#coldModel
      const { isStreamed } = this
      this.#dependencies.statistics.timedOut({ candidate, isStreamed, isCold, tookMs })
    }
    this.#dependencies.onProviderFailure(candidate.providerId, error)
  }

  onSuccess(candidate: Candidate): void {
    const { modelId, providerId } = candidate
    const { meter, plan } = this.#chat
    if (plan.identity !== null) {
      const { promptTokens } = plan.record
      this.#dependencies.conversationMemory.answered(plan.identity, { modelId, promptTokens })
    }
    meter.attemptEnded(candidate, null)
    this.#dependencies.onProviderSuccess(providerId, meter.attemptLatencyMs(candidate))
  }

  onRaceWon(winner: Candidate, loser: Candidate | null): void {
    if (loser) this.#chat.meter.attemptLost(loser)
    // What was changed for the one asked last is not what was changed for this one.
    this.requestFor(winner)
  }

  clock(): number {
    return this.#dependencies.clock()
  }

  onBug(error: unknown): void {
    this.#dependencies.onBug(error)
  }
}

/** Whom to ask one after the other; deployments of one model share its requests. */
function inOrder(
  { ranked, record, keepsFirst }: Plan,
  balanced: (candidates: readonly Candidate[]) => readonly Candidate[],
): readonly Candidate[] {
  const candidates = ranked.map(({ candidate }) => candidate)
  // An order that a person gave is not ours to shuffle.
  if (record.strategy === 'priority') return candidates
  const fixed = Number(keepsFirst)
  return [...candidates.slice(0, fixed), ...balanced(candidates.slice(fixed))]
}

/** Null where it is off, where there is nobody else to ask, and where the model must not change. */
function hedgeOf({ call, plan }: RunningChat, { hedging }: ChatDependencies): Hedge | null {
  const { router, body } = call
  if (router.hedge === null || !router.routing.fallback) return null
  if (plan.ranked.length < 2 || awaitsToolResult(body)) return null
  return hedging.request({
    routerId: router.id,
    setting: router.hedge,
    costNanoUsdOf: ({ modelId }) =>
      plan.ranked.find(({ model }) => model === modelId)?.estimate.costNanoUsd ?? Infinity,
    isStreamed: body.stream === true,
  })
}

function noteEnds(choices: readonly ChunkChoice[], ended: Map<number, FinishReason>): void {
  for (const { index, finish_reason } of choices) {
    if (finish_reason !== null) ended.set(index, finish_reason)
  }
}

/** How a request ends, as its row says it. */
export interface Outcome {
  status: number
  code: string | null
}

export const answered: Outcome = { status: 200, code: null }
export const clientClosed: Outcome = { status: 499, code: 'client_closed' }

export function failureOutcome(error: unknown): Outcome {
  if (error instanceof ClientClosed) return clientClosed
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof ServiceError) return { status: cause.status, code: cause.code }
  return { status: 500, code: 'internal_error' }
}
