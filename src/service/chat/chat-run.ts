/** One admitted request on its way: attempts, meter, and the one row in the ledger however it ends. */
import type { FinishReason } from '../../shared/chat.ts'
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
import type { Deployments } from './deployments.ts'
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
  readonly signal: AbortSignal
  readonly #chat: RunningChat
  readonly #dependencies: ChatDependencies

  constructor(chat: RunningChat, dependencies: ChatDependencies) {
    const { call, plan, signal } = chat
    this.#chat = chat
    this.#dependencies = dependencies
    this.isStreamed = call.body.stream === true
    this.signal = signal
    const ranked = plan.ranked.map(({ candidate }) => candidate)
    // An order that a person gave is not ours to shuffle.
    const fixed = plan.record.strategy === 'priority' ? ranked.length : Number(plan.keepsFirst)
    this.candidates =
      fixed === ranked.length
        ? ranked
        : [
            ...ranked.slice(0, fixed),
            ...dependencies.deployments.balanced(ranked.slice(fixed), this.isStreamed),
          ]
  }

  async complete(): Promise<FinishedChat> {
    const { meter } = this.#chat
    try {
      const { candidate, answer } = await attemptWhole(this)
      meter.answered(candidate, answer)
      meter.stop()
      this.#record(answered)
      return { choices: answer.choices, ...this.#figures(candidate.modelId) }
    } catch (error) {
      meter.stop()
      this.#record(failureOutcome(this.signal.aborted ? this.signal.reason : error))
      throw error
    }
  }

  async *stream(): AsyncGenerator<ChatPart> {
    // Left in place when the consumer stops iterating: that is the client going away, too.
    let outcome: Outcome = clientClosed
    try {
      for await (const part of this.#parts()) {
        if (part.kind === 'end') outcome = answered
        yield part
      }
    } catch (error) {
      outcome = failureOutcome(this.signal.aborted ? this.signal.reason : error)
      throw error
    } finally {
      this.#chat.meter.stop()
      this.#record(outcome)
    }
  }

  async *#parts(): AsyncGenerator<ChatPart> {
    const { meter } = this.#chat
    const finishReasons = new Map<number, FinishReason>()
    const toolCalls = new ToolCallNormalizer(newToolCallId)
    let model = ''
    for await (const { candidate, chunk } of attemptStreamed(this)) {
      model = candidate.modelId
      meter.add(candidate, chunk)
      const choices = toolCalls.normalize(chunk.choices)
      for (const choice of choices) {
        if (choice.finish_reason) finishReasons.set(choice.index, choice.finish_reason)
      }
      if (choices.length > 0) yield { kind: 'delta', model, choices }
    }
    meter.stop()
    yield { kind: 'end', finishReasons, ...this.#figures(model) }
  }

  #figures(model: string): AnswerFigures {
    const { meter } = this.#chat
    return { model, usage: meter.usage(), meta: meter.meta(), explain: () => meter.detail() }
  }

  #record({ status, code }: Outcome): void {
    const { meter } = this.#chat
    this.#dependencies.record(meter.record(status, code), meter.detail())
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
    this.#chat.meter.attempt(candidate)
  }

  onFailure({ providerId }: Candidate, error: ProviderError): void {
    this.#chat.meter.attemptEnded(error)
    this.#dependencies.onProviderFailure(providerId, error)
  }

  onSuccess({ modelId, providerId }: Candidate): void {
    const { meter, plan } = this.#chat
    if (plan.identity !== null) {
      const { promptTokens } = plan.record
      this.#dependencies.conversationMemory.answered(plan.identity, { modelId, promptTokens })
    }
    meter.attemptEnded(null)
    this.#dependencies.onProviderSuccess(providerId, meter.attemptLatencyMs())
  }

  onBug(error: unknown): void {
    this.#dependencies.onBug(error)
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
