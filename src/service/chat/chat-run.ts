/** One admitted request: its attempts, its meter, and its one ledger row, written however it ends. */
import type {
  ChunkChoice,
  CompletionChoice,
  FinishReason,
  WireFields,
} from '../../shared/chat/chat.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import type { RequestDetail } from '../../shared/requests/detail.ts'
import type { Fallback } from '../../shared/routers/fallback-record.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import { ServiceError } from '../errors.ts'
import type { PassedHeaders } from '../providers/passed-headers.ts'
import type { Candidate } from '../routing/candidate.ts'
import {
  attemptStreamed,
  attemptWhole,
  StreamBroken,
  type AttemptedChunk,
} from './attempts/attempts.ts'
import type { CascadeOptions } from './attempts/attempts-options.ts'
import { fallbackOf } from './attempts/fallback.ts'
import { judgedBody } from './attempts/original-call.ts'
import { askTiers, type AcceptedAnswer } from './attempts/cascade.ts'
import {
  ClientClosed,
  type AdmittedChat,
  type AnswerFigures,
  type ChatCall,
  type ChatPart,
  type FinishedChat,
  type Plan,
  type PlannedTier,
} from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { ChatListener } from './chat-listener.ts'
import { longWaitsLast } from './attempts/slot-waits.ts'
import { upstreamsOf } from './chat-upstreams.ts'
import { awaitsToolResult, cacheScope } from './learning/conversation-memory.ts'
import { StreamedReasoning } from './kept-answers/reasoning-memory.ts'
import { factsOf, SeenAnswer } from './answer-checks/answer-facts.ts'
import { RequestSignals } from './learning/request-signals.ts'
import type { Hedge } from './attempts/hedge.ts'
import type { QuotaState } from './admission/quota.ts'
import type { RequestMoney } from './admission/request-money.ts'
import type { Meter } from './metering/meter.ts'
import type { WatchedRequest } from './sessions/watched-request.ts'
import { newToolCallId, ToolCallNormalizer } from './answer/tool-calls.ts'
import { toDelta } from './answer/whole-as-delta.ts'

export interface RunningChat {
  call: ChatCall
  plan: Plan
  meter: Meter
  /** Null without a budget. */
  money: RequestMoney | null
  /** Null when the router has no limit. */
  quota: QuotaState | null
  /** Null for requests that are not part of a coding agent's session. */
  watch: WatchedRequest | null
}

export class ChatRun implements AdmittedChat {
  readonly quota: QuotaState | null
  readonly cache = null
  readonly #chat: RunningChat
  readonly #dependencies: ChatDependencies
  readonly #listener: ChatListener
  readonly #signals: RequestSignals
  readonly #options: Omit<CascadeOptions, 'signal'>
  readonly #seen = new SeenAnswer()
  #answering: Candidate | null = null
  /** Set once the answering model is known. */
  #fallback: Fallback | null = null
  /** Further fields of the answer so far. */
  #extras: WireFields | null = null

  constructor(chat: RunningChat, dependencies: ChatDependencies) {
    const { call, plan, meter, money } = chat
    this.quota = chat.quota
    const isStreamed = call.body.stream === true
    const upstreams = upstreamsOf(chat, dependencies)
    this.#chat = chat
    this.#dependencies = dependencies
    const signals = new RequestSignals(chat, dependencies.signals, dependencies.clock())
    this.#signals = signals
    const scope = cacheScope({ routerId: call.router.id, apiKeyId: call.apiKeyId })
    this.#listener = new ChatListener(
      { call, plan, meter, isStreamed, upstreams, signals, scope },
      dependencies,
    )
    this.#options = {
      candidates: inOrder(chat, dependencies),
      upstreams,
      deployments: dependencies.deployments,
      isStreamed,
      repeats: true,
      hedge: hedgeOf(chat, dependencies),
      covers: (candidate) => money?.covers(candidate, meter.soFar()) ?? true,
      clock: dependencies.clock,
      listener: this.#listener,
    }
  }

  async complete(signal: AbortSignal): Promise<FinishedChat> {
    const { meter, plan } = this.#chat
    let outcome = answered
    try {
      const { tiers } = plan
      const accepted = tiers === undefined ? null : await this.#acceptedByTier(tiers, signal)
      const { candidate, answer } = accepted ?? (await attemptWhole(this.#afterTiers(signal)))
      this.#answersFrom(candidate, answer.headers)
      meter.answered(candidate, answer)
      meter.stop()
      this.#seen.whole(answer)
      this.#checkAnswer(candidate)
      const { choices } = answer
      const isCutOff = choices.some(({ finish_reason }) => finish_reason === 'length')
      this.#listener.answered({ candidate, choices, isCutOff })
      this.#rememberReasoning(candidate, choices)
      this.#chat.watch?.answered(choices)
      this.#extras = answer.extras ?? null
      const { events } = answer
      return { choices, ...(events && { events }), ...this.#figures(candidate.modelId) }
    } catch (error) {
      outcome = this.#outcomeOf(error, signal)
      throw error
    } finally {
      meter.stop()
      const stored = this.#record(outcome)
      if (stored !== null) await stored
    }
  }

  async *stream(signal: AbortSignal): AsyncGenerator<ChatPart> {
    const { meter, watch } = this.#chat
    const finishReasons = new Map<number, FinishReason>()
    const toolCalls = new ToolCallNormalizer(newToolCallId)
    // Stays when the consumer stops iterating, which means that the client disconnected.
    let outcome: Outcome = clientClosed
    const beginning = this.#signals.beginning()
    const reasoning = this.#offersTools() ? new StreamedReasoning() : null
    let answering: Candidate | null = null
    try {
      for await (const { candidate, chunk } of this.#chunks(signal)) {
        this.#answersFrom(candidate, chunk.headers)
        answering = candidate
        meter.add(candidate, chunk)
        this.#seen.heard(chunk, chunk.choices)
        const choices = toolCalls.normalize(chunk.choices)
        noteEnds(choices, finishReasons)
        beginning.add(choices)
        reasoning?.add(choices)
        this.#dependencies.reasoningMemory.authors.heard(candidate.modelId, choices)
        watch?.heard(choices)
        const { extras, events } = chunk
        if (extras !== undefined) this.#extras = { ...this.#extras, ...extras }
        const model = candidate.modelId
        if (events !== undefined) yield { kind: 'delta', model, choices, events }
        else if (choices.length > 0) {
          yield { kind: 'delta', model, choices, ...(extras && { extras }) }
        }
      }
      meter.stop()
      if (answering !== null) {
        this.#checkAnswer(answering)
        const isCutOff = [...finishReasons.values()].includes('length')
        const choices = beginning.read(finishReasons)
        this.#listener.answered({ candidate: answering, choices, isCutOff })
        this.#rememberReasoning(answering, reasoning?.read() ?? [])
      }
      outcome = answered
      yield { kind: 'end', finishReasons, ...this.#figures(answering?.modelId ?? '') }
    } catch (error) {
      outcome = this.#outcomeOf(error, signal)
      throw error
    } finally {
      meter.stop()
      const stored = this.#record(outcome)
      // The last events are sent after this generator has ended.
      if (stored !== null) await stored
    }
  }

  #chunks(signal: AbortSignal): AsyncIterable<AttemptedChunk> {
    const { tiers } = this.#chat.plan
    return tiers === undefined
      ? attemptStreamed({ ...this.#options, signal })
      : this.#cascadedChunks(tiers, signal)
  }

  /** An answer that was checked is replayed; an unchecked one streams as it is generated. */
  async *#cascadedChunks(
    tiers: readonly PlannedTier[],
    signal: AbortSignal,
  ): AsyncGenerator<AttemptedChunk> {
    const accepted = await this.#acceptedByTier(tiers, signal)
    if (!accepted) {
      yield* attemptStreamed(this.#afterTiers(signal))
      return
    }
    const { candidate, answer } = accepted
    const { choices, usage, extras, headers } = answer
    const beginning = { ...(extras && { extras }), ...(headers && { headers }) }
    yield { candidate, chunk: { choices: choices.map(toDelta), usage: null, ...beginning } }
    const ends = choices.map(({ index, finish_reason }) => ({ index, delta: {}, finish_reason }))
    yield { candidate, chunk: { choices: ends, usage } }
  }

  /** The answer of the router's cascade; null where no answer was accepted. */
  async #acceptedByTier(
    tiers: readonly PlannedTier[],
    signal: AbortSignal,
  ): Promise<AcceptedAnswer | null> {
    const body = judgedBody(this.#chat.call)
    const accepted = await askTiers(tiers, body, { ...this.#options, signal })
    if (accepted) this.#listener.tierAccepted(accepted.candidate)
    return accepted
  }

  /** The router's own order, with the models last whose answers the cascade did not accept. */
  #afterTiers(signal: AbortSignal): CascadeOptions {
    const options = { ...this.#options, signal }
    const rejected = rejectedOf(this.#chat.plan.tiers ?? [])
    if (rejected.size === 0) return options
    return { ...options, candidates: inOrder(this.#chat, this.#dependencies, rejected) }
  }

  /** Called with each part of the answer; the model never changes after the first. */
  #answersFrom(answering: Candidate, headers?: PassedHeaders): void {
    if (this.#answering !== null) return
    this.#answering = answering
    const { call } = this.#chat
    this.#fallback = this.#fallbackTo(answering)
    this.#chat.meter.fellBack(this.#fallback)
    if (this.#fallback !== null) call.onFallback?.(this.#fallback)
    if (headers !== undefined) call.onHeaders?.(headers)
  }

  #fallbackTo(answering: Candidate): Fallback | null {
    const { tiers } = this.#chat.plan
    const { candidates } = this.#options
    if (tiers === undefined && candidates[0] === answering) return null
    const ofTiers = (tiers ?? []).flatMap((tier) => tier.candidates)
    const { outcomes } = this.#listener
    return fallbackOf(answering, [...ofTiers, ...candidates], { ...this.#options, outcomes })
  }

  #checkAnswer(candidate: Candidate): void {
    const { answerChecks, now } = this.#dependencies
    const { call, plan, meter } = this.#chat
    const answered = { call, plan, candidate, usage: meter.reported, atMs: now() }
    answerChecks?.answered(factsOf(this.#seen, answered))
  }

  #offersTools(): boolean {
    return (this.#chat.call.body.tools?.length ?? 0) > 0
  }

  #rememberReasoning(
    { modelId }: Candidate,
    choices: readonly Pick<CompletionChoice, 'message'>[],
  ): void {
    if (!this.#offersTools()) return
    const { apiKeyId, body } = this.#chat.call
    this.#dependencies.reasoningMemory.answered({ apiKeyId, modelId, body }, choices)
  }

  #figures(model: string): AnswerFigures {
    const { meter } = this.#chat
    const fallback = this.#fallback
    const figures = { model, usage: meter.usage(), meta: meter.meta(), fallback }
    const extras = this.#extras && { extras: this.#extras }
    return { ...figures, ...extras, explain: () => meter.detail() }
  }

  #outcomeOf(error: unknown, signal: AbortSignal): Outcome {
    return signal.aborted ? abortedOutcome(signal.reason, this.#chat.call) : failureOutcome(error)
  }

  #record({ status, code }: Outcome): Promise<void> | null {
    const { meter } = this.#chat
    const recorded = meter.record(status, code)
    this.#options.hedge?.finished(recorded.costNanoUsd, meter.lostNanoUsd())
    const detail = meter.detail()
    const row = this.#asStep(recorded, detail)
    const stored = this.#dependencies.record(row, detail, this.#chat.call)
    this.#chat.call.step?.onRecord(row, detail)
    this.#chat.call.onRecord?.(row)
    return stored
  }

  /** The row of a coding agent's session says more. */
  #asStep(row: RequestRecord, detail: RequestDetail): RequestRecord {
    const { watch, meter } = this.#chat
    if (watch === null) return row
    const isReported = meter.reported !== null
    const usage = meter.usage()
    return watch.rowOf({ row, detail, candidate: this.#answering, usage, isReported })
  }
}

function rejectedOf(tiers: readonly PlannedTier[]): ReadonlySet<Candidate> {
  const rejected = tiers.filter(({ record }) => record.outcome === 'not_accepted')
  return new Set(rejected.flatMap(({ candidates }) => candidates))
}

/**
 * The candidates in the order in which they are tried.
 * @param rejected  tried last
 */
function inOrder(
  { call, plan }: Pick<RunningChat, 'call' | 'plan'>,
  { deployments, loadOf }: Pick<ChatDependencies, 'deployments' | 'loadOf'>,
  rejected: ReadonlySet<Candidate> = new Set(),
): readonly Candidate[] {
  const ordered = spreadLoad(plan, (candidates) =>
    deployments.balanced(candidates, call.body.stream === true),
  )
  const { ranked, keepsFirst } = plan
  const { fallback } = call.router.routing
  const soon = fallback
    ? longWaitsLast(ordered, { ranked, loadOf, fixed: Number(keepsFirst) })
    : ordered
  const candidates =
    rejected.size === 0
      ? soon
      : [
          ...soon.filter((candidate) => !rejected.has(candidate)),
          ...soon.filter((candidate) => rejected.has(candidate)),
        ]
  return fallback ? candidates : candidates.slice(0, 1)
}

/** Deployments of one model share its requests, unless the strategy keeps the order of the list. */
function spreadLoad(
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

function hedgeOf(
  { call, plan }: Pick<RunningChat, 'call' | 'plan'>,
  { hedging }: ChatDependencies,
): Hedge | null {
  const { router, body } = call
  if (router.hedge === null || !mayHedge({ call, plan })) return null
  return hedging.request({
    routerId: router.id,
    setting: router.hedge,
    costNanoUsdOf: ({ modelId }) =>
      plan.ranked.find(({ model }) => model === modelId)?.estimate.costNanoUsd ?? Infinity,
    isStreamed: body.stream === true,
  })
}

/** @returns false when hedging is off, when there is no second model, and when the model must not change */
export function mayHedge({ call, plan }: Pick<RunningChat, 'call' | 'plan'>): boolean {
  const { router, body } = call
  if (router.hedge === null || !router.routing.fallback) return false
  return plan.ranked.length > 1 && !awaitsToolResult(body)
}

function noteEnds(choices: readonly ChunkChoice[], ended: Map<number, FinishReason>): void {
  for (const { index, finish_reason } of choices) {
    if (finish_reason !== null) ended.set(index, finish_reason)
  }
}

/** How a request ended, as its ledger row records it. */
export interface Outcome {
  status: number
  code: string | null
}

export const answered: Outcome = { status: 200, code: null }
export const clientClosed: Outcome = { status: 499, code: 'client_closed' }

/** Outcome of a request that neither its models nor its caller ended: an agent's step after another one failed. */
const cancelled: Outcome = { status: 499, code: 'cancelled' }

/** @param reason  of the request's signal; an agent cancels a step with the failure of the execution */
function abortedOutcome(reason: unknown, { step }: Pick<ChatCall, 'step'>): Outcome {
  const isOwn = step === undefined && reason instanceof ServiceError
  return isOwn || reason instanceof ClientClosed ? failureOutcome(reason) : cancelled
}

export function failureOutcome(error: unknown): Outcome {
  if (error instanceof ClientClosed) return clientClosed
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof ServiceError) return { status: cause.status, code: cause.code }
  return { status: 500, code: 'internal_error' }
}
