/** One admitted request on its way: attempts, meter, and the one row in the ledger however it ends. */
import type { ChunkChoice, FinishReason } from '../../shared/chat.ts'
import { strategyProfiles } from '../../shared/strategies.ts'
import type { TimeLimits } from '../../shared/time-limits.ts'
import { ServiceError } from '../errors.ts'
import type { Provider, ProviderError, ProviderRequest } from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import { adjustBody, limitAnswer } from './adjust.ts'
import { attemptStreamed, attemptWhole, StreamBroken, type AttemptedChunk } from './attempts.ts'
import { askTiers, type Accepted, type CascadeOptions } from './cascade.ts'
import {
  ClientClosed,
  type AnswerFigures,
  type ChatCall,
  type ChatDependencies,
  type ChatPart,
  type FinishedChat,
  type Plan,
  type PlannedTier,
} from './chat-call.ts'
import type { WholeAnswer } from './collect.ts'
import { awaitsToolResult } from './conversation-memory.ts'
import type { Deployments } from './deployments.ts'
import type { Hedge } from './hedge.ts'
import type { Meter } from './meter.ts'
import { newToolCallId, ToolCallNormalizer } from './tool-calls.ts'
import { toDelta } from './whole-as-delta.ts'

export interface RunningChat {
  call: ChatCall
  plan: Plan
  meter: Meter
  /** Aborted when the caller goes away. */
  signal: AbortSignal
}

/** Either `complete` or `stream` is to be called, once. */
export class ChatRun implements CascadeOptions {
  candidates: readonly Candidate[]
  readonly isStreamed: boolean
  readonly hedge: Hedge | null
  readonly signal: AbortSignal
  readonly #chat: RunningChat
  readonly #dependencies: ChatDependencies
  /** On this computer, and asked before it was loaded. */
  #coldModel: string | null = null

  constructor(chat: RunningChat, dependencies: ChatDependencies) {
    const { call, signal } = chat
    this.#chat = chat
    this.#dependencies = dependencies
    this.isStreamed = call.body.stream === true
    this.signal = signal
    this.hedge = hedgeOf(chat, dependencies)
    this.candidates = this.#inOrder(new Set())
  }

  async complete(): Promise<FinishedChat> {
    const { meter } = this.#chat
    try {
      const { tiers } = this.#chat.plan
      const accepted = tiers === undefined ? null : await this.#accepted(tiers)
      const { candidate, answer } = accepted ?? (await attemptWhole(this))
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
      for await (const { candidate, chunk } of this.#chunks()) {
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

  #chunks(): AsyncIterable<AttemptedChunk> {
    const { tiers } = this.#chat.plan
    return tiers === undefined ? attemptStreamed(this) : this.#cascadedChunks(tiers)
  }

  /** What was checked is replayed; what is not checked streams as it is made. */
  async *#cascadedChunks(tiers: readonly PlannedTier[]): AsyncGenerator<AttemptedChunk> {
    const accepted = await this.#accepted(tiers)
    if (!accepted) {
      yield* attemptStreamed(this)
      return
    }
    const { candidate, answer } = accepted
    const { choices, usage } = answer
    yield { candidate, chunk: { choices: choices.map(toDelta), usage: null } }
    const ends = choices.map(({ index, finish_reason }) => ({ index, delta: {}, finish_reason }))
    yield { candidate, chunk: { choices: ends, usage } }
  }

  /** The answer of the router's cascade; null where none was accepted. */
  async #accepted(tiers: readonly PlannedTier[]): Promise<Accepted | null> {
    const { call, meter } = this.#chat
    const accepted = await askTiers(tiers, call.body, this)
    if (accepted) {
      meter.given(accepted.candidate)
      this.#remember(accepted.candidate)
      // What was changed for the one asked last is not what was changed for this one.
      this.requestFor(accepted.candidate)
    } else {
      const unheeded = tiers.filter(({ record }) => record.outcome === 'not_accepted')
      this.candidates = this.#inOrder(new Set(unheeded.flatMap(({ candidates }) => candidates)))
    }
    return accepted
  }

  /** Whom to ask one after the other, whose answers were not accepted last. */
  #inOrder(unheeded: ReadonlySet<Candidate>): readonly Candidate[] {
    const { call, plan } = this.#chat
    const ordered = inOrder(plan, (ranked) => this.deployments.balanced(ranked, this.isStreamed))
    const candidates =
      unheeded.size === 0
        ? ordered
        : [
            ...ordered.filter((candidate) => !unheeded.has(candidate)),
            ...ordered.filter((candidate) => unheeded.has(candidate)),
          ]
    return call.router.routing.fallback ? candidates : candidates.slice(0, 1)
  }

  #remember({ modelId }: Candidate): void {
    const { identity, record } = this.#chat.plan
    if (identity === null) return
    const { promptTokens } = record
    this.#dependencies.conversationMemory.answered(identity, { modelId, promptTokens })
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

  /** The answer of a cascade's tier was learnt from when it came. */
  #learn(isCutOff: boolean): void {
    const { meter, plan } = this.#chat
    const isLearnt = plan.record.cascade?.some(({ outcome }) => outcome === 'accepted') === true
    if (!isLearnt) this.#learnFrom(meter.sample(), isCutOff)
  }

  /** Of several answers at once nothing says how long one of them would have taken. */
  #learnFrom(sample: ReturnType<Meter['sample']>, isCutOff: boolean): void {
    if (sample === null || this.#chat.plan.record.needs.includes('n')) return
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
    return { model, body, connectMs }
  }

  onAttempt(candidate: Candidate): void {
    if (this.#dependencies.statistics.isCold(candidate)) this.#coldModel = candidate.modelId
    this.#chat.meter.attempt(candidate)
  }

  onFailure(candidate: Candidate, error: ProviderError): void {
    this.#failed(candidate, error, this.isStreamed)
  }

  onTierFailed(candidate: Candidate, error: ProviderError): void {
    this.#failed(candidate, error, false)
  }

  #failed(candidate: Candidate, error: ProviderError, isStreamed: boolean): void {
    const { meter } = this.#chat
    const tookMs = meter.attemptEnded(candidate, error)
    if (error.kind === 'timeout' && !meter.hasBegun) {
      const isCold = candidate.modelId === this.#coldModel
      this.#dependencies.statistics.timedOut({ candidate, isStreamed, isCold, tookMs })
    }
    this.#dependencies.onProviderFailure(candidate.providerId, error)
  }

  onSuccess(candidate: Candidate): void {
    const { meter } = this.#chat
    this.#remember(candidate)
    meter.attemptEnded(candidate, null)
    this.#dependencies.onProviderSuccess(candidate.providerId, meter.attemptLatencyMs(candidate))
  }

  onTierAnswered(candidate: Candidate, answer: WholeAnswer): void {
    const { meter } = this.#chat
    const isCutOff = answer.choices.some(({ finish_reason }) => finish_reason === 'length')
    this.#learnFrom(meter.tierAnswered(candidate, answer), isCutOff)
    this.#dependencies.onProviderSuccess(candidate.providerId, meter.attemptLatencyMs(candidate))
  }

  onJudged(candidate: Candidate, reason: string | null): void {
    this.#chat.meter.judged(candidate, reason)
  }

  onTierLost(candidate: Candidate): void {
    this.#chat.meter.attemptLost(candidate, 'the other model of its tier failed')
  }

  onRaceWon(winner: Candidate, loser: Candidate | null): void {
    if (loser) this.#chat.meter.attemptLost(loser, 'another model was quicker')
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
  if (record.strategy !== 'pinned' && strategyProfiles[record.strategy].keepsListOrder) {
    return candidates
  }
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
