/** Measures a request: tokens as reported or estimated, cost, carbon and time. */
import type { ChatUsage, RouterMeta } from '../../../shared/chat/chat.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { AttemptRecord, RequestDetail } from '../../../shared/requests/detail.ts'
import type { Fallback } from '../../../shared/routers/fallback-record.ts'
import type { SignalRecord } from '../../../shared/requests/signals.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
import type { ProviderChunk, ProviderError, ServerTimings } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import {
  billOf,
  partOf,
  tokenCounts,
  tokenSourceOf,
  tokensOf,
  type Bill,
  type MeteredAnswer,
  priceOf,
} from './bill.ts'
import type { SpentSoFar } from '../admission/request-money.ts'
import { estimateTokens } from '../admission/request-needs.ts'
import type { WholeAnswer } from '../answer/collect.ts'
import type { AnswerSample } from '../learning/model-statistics.ts'
import { charactersOf, countCharacters } from './count-characters.ts'
import { estimatedUsage } from './estimated-usage.ts'
import { stepColumns, type MeteredRequest } from './metered-request.ts'
import { tokenClasses } from './token-classes.ts'

type Sample = Omit<AnswerSample, 'routerId' | 'isCold' | 'isCutOff' | 'teachesLength'>

/** Measures one request. Chunks go in; `_meta` and the ledger's row come out. */
export class Meter {
  readonly #request: MeteredRequest
  readonly #startedAt: number
  #answering: Candidate | null = null
  #fallback: Fallback | null = null
  /** Null while they are those of the decision. */
  #adjusted: Adjustment[] | null = null
  readonly #attempts: AttemptRecord[] = []
  /** Signals that the answers gave by themselves. */
  readonly signals: SignalRecord[] = []
  #reported: ChatUsage | null = null
  /** Usage that each candidate's stream reported before its end. */
  readonly #early = new Map<Candidate, ChatUsage>()
  /** Characters of answers that arrive in pieces and are returned as a whole. */
  readonly #parts = new Map<Candidate, number>()
  #characters = 0
  #timings: ServerTimings | null = null
  /** Time that the answering candidate's server let the request wait. */
  #queuedMs = 0
  #firstTokenMs: number | null = null
  #latencyMs: number | null = null
  #lostNanoUsd = 0
  /** Paid answers that are not returned, and prompts of attempts without an answer. */
  readonly #spare: MeteredAnswer[] = []
  readonly #running = new Set<Candidate>()
  /** Candidates whose vendor may have read the prompt in their latest attempt. */
  readonly #sent = new Set<Candidate>()
  /** Computed once when the answer has ended, for `_meta`, the row and its detail. */
  #bill: Bill | null = null

  constructor(request: MeteredRequest) {
    this.#request = request
    this.#startedAt = request.clock()
  }

  /** Counts one chunk of the answering candidate. */
  add(candidate: Candidate, chunk: ProviderChunk): void {
    this.#answering = candidate
    const characters = countCharacters(chunk)
    if (characters > 0) this.#firstTokenMs ??= this.#elapsedMs()
    this.#characters += characters
    this.#reported = chunk.usage ?? this.#reported
    this.#timings = chunk.timings ?? this.#timings
    this.#queuedMs = chunk.queuedMs ?? this.#queuedMs
  }

  /** Notes the usage that the candidate's stream reports before its end, also before its first output. */
  usageTold(candidate: Candidate, usage: ChatUsage): void {
    this.#early.set(candidate, usage)
  }

  /** Counts a piece of an answer that is returned as a whole: a vendor bills what came before it broke. */
  partArrived(candidate: Candidate, chunk: ProviderChunk): void {
    if (chunk.earlyUsage !== undefined) this.#early.set(candidate, chunk.earlyUsage)
    const before = this.#parts.get(candidate) ?? 0
    this.#parts.set(candidate, before + countCharacters(chunk))
  }

  /** Counts an answer in one piece. */
  answered(candidate: Candidate, answer: WholeAnswer): void {
    const { choices, usage, timings = null, queuedMs = 0 } = answer
    this.#answering = candidate
    this.#firstTokenMs = this.#elapsedMs()
    this.#reported = usage
    this.#timings = timings
    this.#queuedMs = queuedMs
    if (usage === null) for (const { message } of choices) this.#characters += charactersOf(message)
  }

  /** Counts vectors, which have no first token. @param usage  null when the provider reported none */
  embedded(candidate: Candidate, usage: ChatUsage | null): void {
    this.#answering = candidate
    this.#reported = usage
  }

  /** How long a candidate took to its first token, or to its end when it gave none. */
  attemptLatencyMs(candidate: Candidate): number {
    const startedMs = this.#attemptOf(candidate)?.startedMs ?? 0
    return Math.round((this.#firstTokenMs ?? this.#elapsedMs()) - startedMs)
  }

  /** Records that an attempt starts. Until `attemptEnded` it counts as aborted. */
  attempt(candidate: Candidate): void {
    this.#running.add(candidate)
    this.#early.delete(candidate)
    this.#parts.delete(candidate)
    this.#sent.delete(candidate)
    this.#attempts.push({
      model: candidate.modelId,
      startedMs: this.#elapsedMs(),
      tookMs: 0,
      outcome: 'aborted',
      status: null,
      message: null,
    })
  }

  /** Notes that the prompt of an attempt was sent: it is paid for in any case. */
  sent(candidate: Candidate): void {
    this.#sent.add(candidate)
  }

  /** Records an attempt that was cancelled in favour of another. A prompt that was sent is paid for. */
  attemptLost(candidate: Candidate, why: string): void {
    this.#running.delete(candidate)
    const attempt = this.#attemptOf(candidate)
    if (!attempt) return
    attempt.tookMs = this.#elapsedMs() - attempt.startedMs
    attempt.outcome = 'lost'
    attempt.message = why
    if (!this.#sent.has(candidate)) return
    const usage = this.#unfinishedUsage(candidate)
    this.#lostNanoUsd += billOf([{ candidate, usage, isReported: false }]).costNanoUsd
    attempt.message += `; ${this.#promptWords(candidate)}`
  }

  /**
   * Records the answer of a cascade's tier. Until it is accepted, it is paid for but not returned.
   * @returns a sample for the model's statistics
   */
  tierAnswered(candidate: Candidate, answer: WholeAnswer): Sample {
    const { choices, usage: reported, timings = null, queuedMs = 0 } = answer
    let characters = 0
    for (const { message } of choices) characters += charactersOf(message)
    const usage = reported ?? this.#estimate(candidate, characters)
    this.#spare.push({ candidate, usage, isReported: reported !== null })
    const tookMs = this.attemptEnded(candidate, null) - queuedMs
    const { input, cacheWrite } = tokenClasses(usage)
    return {
      candidate,
      isStreamed: false,
      firstTokenMs: tookMs,
      totalMs: tookMs,
      uncachedTokens: input + (cacheWrite ?? 0),
      outputTokens: usage.completion_tokens,
      writtenTokens: usage.completion_tokens,
      timings,
      reading: this.#request.decision.reading,
    }
  }

  /** @param reason  why the tier's answer is rejected; null: it is accepted */
  judged(candidate: Candidate, reason: string | null): void {
    const attempt = this.#attemptOf(candidate)
    if (!attempt) return
    attempt.outcome = reason === null ? 'accepted' : 'not_accepted'
    attempt.message = reason
  }

  /** Notes that the accepted answer is returned: `add` or `answered` counts it from now on. */
  given(candidate: Candidate): void {
    const index = this.#spare.findLastIndex((spare) => spare.candidate === candidate)
    if (index >= 0) this.#spare.splice(index, 1)
  }

  /** Cost of cancelled attempts. */
  lostNanoUsd(): number {
    return this.#lostNanoUsd
  }

  /** Costs before an answer begins. */
  soFar(): SpentSoFar {
    return { spentNanoUsd: this.#billed().costNanoUsd, running: this.#running }
  }

  /** @param error  null when the attempt answered. @returns its duration in milliseconds */
  attemptEnded(candidate: Candidate, error: ProviderError | null): number {
    const attempt = this.#attemptOf(candidate)
    if (!attempt) return 0
    attempt.tookMs = this.#elapsedMs() - attempt.startedMs
    attempt.outcome = error?.kind ?? 'answered'
    attempt.status = error?.status ?? null
    attempt.message = error?.message ?? null
    this.#running.delete(candidate)
    if (error) this.#countPrompt(candidate, attempt, error.chargedShare)
    return attempt.tookMs
  }

  /** Whether any part of an answer has arrived. */
  get hasBegun(): boolean {
    return this.#firstTokenMs !== null
  }

  /** A sample for the model's statistics; null without an answer. */
  sample(): Sample | null {
    const candidate = this.#answering
    if (candidate === null || this.#firstTokenMs === null) return null
    const { isStreamed, decision } = this.#request
    const { startedMs = 0 } = this.#attemptOf(candidate) ?? {}
    // The wait for a free slot says nothing about the model.
    const workedFromMs = startedMs + this.#queuedMs
    const usage = this.usage()
    const { input, cacheWrite } = tokenClasses(usage)
    return {
      candidate,
      isStreamed,
      firstTokenMs: this.#firstTokenMs - workedFromMs,
      totalMs: this.#elapsedMs() - workedFromMs,
      uncachedTokens: input + (cacheWrite ?? 0),
      outputTokens: usage.completion_tokens,
      writtenTokens: isStreamed ? this.#streamedTokens(usage) : usage.completion_tokens,
      timings: this.#timings,
      reading: decision.reading,
    }
  }

  /** Notes the changes to the request for the model that answers, or that was asked last. */
  adjusted(adjusted: Adjustment[]): void {
    this.#adjusted = adjusted
  }

  /** Records that another model answers than the first choice; null when it is the first choice. */
  fellBack(fallback: Fallback | null): void {
    this.#fallback = fallback
  }

  /** Stops the clock. Figures read after this call are final. Attempts still running were cut off by the caller. */
  stop(): void {
    this.#latencyMs = this.#elapsedMs()
    for (const candidate of this.#running) this.#countPrompt(candidate, this.#attemptOf(candidate))
    this.#running.clear()
  }

  /**
   * Counts a prompt that was sent and may be billed, although nothing came back, and what had come of a whole answer.
   * What the answering model read is counted as its own.
   */
  #countPrompt(candidate: Candidate, attempt: AttemptRecord | undefined, share = 1): void {
    const hasOutput = (this.#parts.get(candidate) ?? 0) > 0
    const isUnpaid = share === 0 && !hasOutput
    if (candidate === this.#answering || isUnpaid || !this.#sent.has(candidate)) return
    const usage = partOf(this.#unfinishedUsage(candidate), hasOutput ? 1 : share)
    this.#spare.push({ candidate, usage, isReported: false })
    if (attempt)
      attempt.message = `${attempt.message ?? 'aborted'}; ${this.#promptWords(candidate)}`
  }

  #promptWords(candidate: Candidate): string {
    return this.#early.has(candidate)
      ? 'its prompt costs what the provider counted'
      : 'the cost of its prompt is estimated'
  }

  /** The provider's numbers; null when it reported none. */
  get reported(): ChatUsage | null {
    return this.#reported
  }

  /** The wire's `usage`: the provider's numbers, estimates where it gave none. */
  usage(): ChatUsage {
    if (this.#reported) return this.#reported
    if (this.#answering) return this.#unfinishedUsage(this.#answering, this.#characters)
    return { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  }

  meta(): RouterMeta {
    return {
      modelUsed: this.#answering?.modelId ?? '',
      cost: this.#billed().costNanoUsd / 1e9,
      latencyMs: this.#elapsedMs(),
      carbonGrams: this.#billed().carbon?.mid ?? 0,
      routerDecision: this.#request.decision.strategy,
    }
  }

  /** The ledger's row. @param status  HTTP status; 499 when the client went away */
  record(status: number, errorCode: string | null): RequestRecord {
    const { id, routerId, apiKeyId, source, startedAtMs, decision, isStreamed } = this.#request
    const fallback = status < 400 ? this.#fallback : null
    return {
      id,
      routerId,
      apiKeyId,
      source,
      startedAtMs,
      status,
      errorCode,
      modelUsed: this.#answering?.modelId ?? null,
      routerDecision: decision.strategy,
      isStreamed,
      attempts: this.#attempts.length,
      ...tokenCounts(this.#answers()),
      costNanoUsd: this.#billed().costNanoUsd,
      latencyMs: this.#elapsedMs(),
      firstTokenMs: this.#firstTokenMs,
      carbonGrams: this.#billed().carbon?.mid ?? 0,
      cachedFrom: null,
      fallbackFrom: fallback?.from ?? null,
      fallbackReason: fallback?.reason ?? null,
      tag: this.#request.tag,
      ...stepColumns(this.#request),
    }
  }

  /** Details of the request, returned beside its row. */
  detail(): RequestDetail {
    const { client, decision } = this.#request
    const { carbon } = this.#billed()
    const answers = this.#answers()
    return {
      client,
      tokenSource: tokenSourceOf(answers),
      tokens: tokensOf(answers),
      price: this.#answering && priceOf(this.#answering, this.usage().prompt_tokens),
      carbon: carbon && { lowGrams: carbon.low, highGrams: carbon.high, method: carbon.method },
      attempts: this.#attempts,
      signals: this.signals,
      decision: this.#adjusted === null ? decision : { ...decision, adjusted: this.#adjusted },
    }
  }

  /** Streamed tokens. Some models stream their reasoning and others hide it; the number of characters shows which. */
  #streamedTokens(usage: ChatUsage): number {
    const { output, reasoning } = tokenClasses(usage)
    const withHalf = output + (reasoning ?? 0) / 2
    return estimateTokens(this.#characters) < withHalf ? output : usage.completion_tokens
  }

  /** All paid answers. The returned one is last. */
  #answers(): readonly MeteredAnswer[] {
    if (!this.#answering) return this.#spare
    const isReported = this.#reported !== null
    return [...this.#spare, { candidate: this.#answering, usage: this.usage(), isReported }]
  }

  /** Usage of a stream that broke or was cancelled; its prompt as the provider counted it, if it said so in time. */
  #unfinishedUsage(candidate: Candidate, characters = this.#parts.get(candidate) ?? 0): ChatUsage {
    const estimated = this.#estimate(candidate, characters)
    const early = this.#early.get(candidate)
    if (early === undefined) return estimated
    const { prompt_tokens } = early
    const completion_tokens = Math.max(early.completion_tokens, estimated.completion_tokens)
    const total_tokens = prompt_tokens + completion_tokens
    return { ...early, prompt_tokens, completion_tokens, total_tokens }
  }

  #estimate(candidate: Candidate, characters: number): ChatUsage {
    return estimatedUsage(this.#request, candidate, characters)
  }

  /** The latest attempt: a candidate of a cascade, or the only one, may be tried again. */
  #attemptOf({ modelId }: Candidate): AttemptRecord | undefined {
    return this.#attempts.findLast(({ model }) => model === modelId)
  }

  #elapsedMs(): number {
    if (this.#latencyMs !== null) return this.#latencyMs
    // Rounded to hundredths of a millisecond, which is finer than the clocks here.
    return Math.round((this.#request.clock() - this.#startedAt) * 100) / 100
  }

  #billed(): Bill {
    if (this.#bill !== null) return this.#bill
    const { costNanoUsd: answersNanoUsd, carbon } = billOf(this.#answers())
    const bill = { costNanoUsd: this.#lostNanoUsd + answersNanoUsd, carbon }
    if (this.#latencyMs !== null) this.#bill = bill
    return bill
  }
}
