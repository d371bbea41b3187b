/**
 * The candidates of one request, tried in turn. Until the first content, reasoning or tool delta a
 * failure falls over to the next one unseen; after it the model is never switched, so that no answer
 * is ever stitched together from two.
 */
import type { TimeLimits } from '../../shared/time-limits.ts'
import { ServiceError } from '../errors.ts'
import {
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'
import { allUnavailable, type Failure } from './all-unavailable.ts'
import { AttemptTimer } from './attempt-timer.ts'
import { collectAnswer, type WholeAnswer } from './collect.ts'
import type { BreakerTrial } from './breaker.ts'
import { ChoiceEnds } from './choice-ends.ts'
import type { Deployments } from './deployments.ts'
import { Turns } from './turns.ts'

export interface AttemptsOptions {
  candidates: readonly Candidate[]
  /** @throws ProviderError when the provider cannot be used now */
  providerOf(candidate: Candidate): Provider
  /** Why its provider is out until the user acts; null when it is not. */
  outageOf(candidate: Candidate): ProviderError | null
  deployments: Deployments
  timeLimitsOf(candidate: Candidate): TimeLimits
  requestFor(candidate: Candidate): ProviderRequest
  isStreamed: boolean
  signal: AbortSignal
  onAttempt(candidate: Candidate): void
  /** Told of every failed attempt, whether or not another candidate is left. */
  onFailure(candidate: Candidate, error: ProviderError): void
  onSuccess(candidate: Candidate): void
  /** Told of what an adapter throws that is no ProviderError. */
  onBug(error: unknown): void
}

export interface AttemptedChunk {
  candidate: Candidate
  chunk: ProviderChunk
}

/**
 * The answer in one piece, of the first candidate that gives one.
 * @throws ServiceError invalid_parameter (the upstream refused the request itself),
 *   all_models_unavailable (naming each model and its cause); the signal's reason on abort
 */
export async function attemptWhole(
  options: AttemptsOptions,
): Promise<{ candidate: Candidate; answer: WholeAnswer }> {
  const attempts = new Attempts(options)
  for (;;) {
    const attempt = attempts.begin()
    try {
      const answer = await collectAnswer(attempt.ask())
      attempt.trial.answering()
      attempts.succeeded(attempt)
      return { candidate: attempt.candidate, answer }
    } catch (cause) {
      attempts.failed(attempt, cause)
    } finally {
      attempt.end()
    }
  }
}

/**
 * The answer as it is made; nothing is let out before the first chunk that carries something.
 * @throws as `attemptWhole`, and after the first delta `StreamBroken`
 */
export async function* attemptStreamed(options: AttemptsOptions): AsyncGenerator<AttemptedChunk> {
  const attempts = new Attempts(options)
  for (;;) {
    const attempt = attempts.begin()
    const { candidate } = attempt
    try {
      for await (const chunk of attempt.deltas()) yield { candidate, chunk }
      attempts.succeeded(attempt)
      return
    } catch (cause) {
      attempts.failed(attempt, cause)
    } finally {
      attempt.end()
    }
  }
}

/** The answer began and could not be finished; `error` is what the caller is told. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken'
  readonly error: ServiceError

  constructor(error: ServiceError) {
    super(error.message, { cause: error })
    this.error = error
  }
}

/** Whose turn it is, and what became of those before. */
class Attempts {
  readonly #options: AttemptsOptions
  readonly #turns: Turns
  readonly #failures: Failure[] = []

  constructor(options: AttemptsOptions) {
    this.#options = options
    this.#turns = new Turns(options)
    options.deployments.budget.deposit()
  }

  /** The next candidate's attempt; its `end` must be called. @throws ServiceError all_models_unavailable */
  begin(): Attempt {
    const { budget } = this.#options.deployments
    const candidate = this.#turns.next()
    if (candidate === null || (this.#failures.length > 0 && !budget.withdraw())) {
      throw allUnavailable(this.#failures, this.#options)
    }
    this.#options.onAttempt(candidate)
    return new Attempt(candidate, this.#options)
  }

  succeeded({ candidate, trial }: Attempt): void {
    trial.succeeded()
    this.#options.onSuccess(candidate)
  }

  /** Returns when the next candidate may take over. @throws what ends the request otherwise */
  failed({ candidate, trial, hasDelta }: Attempt, cause: unknown): void {
    this.#options.signal.throwIfAborted()
    const error = this.#asProviderError(cause)
    trial.failed(error)
    this.#options.onFailure(candidate, error)
    if (error.kind === 'request') throw refusedByUpstream(error)
    this.#failures.push({ candidate, error })
    if (hasDelta) throw new StreamBroken(allUnavailable(this.#failures, this.#options))
  }

  /** Whatever an adapter throws that is not a ProviderError is our bug, but not the caller's end. */
  #asProviderError(cause: unknown): ProviderError {
    if (cause instanceof ProviderError) return cause
    this.#options.onBug(cause)
    return new ProviderError('invalid_response', 'the adapter failed', { cause })
  }
}

/** One candidate, asked once. */
class Attempt {
  readonly candidate: Candidate
  readonly trial: BreakerTrial
  /** Whether something for the caller has come; then the model is not switched any more. */
  hasDelta = false
  readonly #options: AttemptsOptions
  readonly #timer: AttemptTimer

  constructor(candidate: Candidate, options: AttemptsOptions) {
    const { deployments, isStreamed, signal } = options
    this.candidate = candidate
    this.#options = options
    this.trial = deployments.begin(candidate.modelId, isStreamed)
    this.#timer = new AttemptTimer({ limits: options.timeLimitsOf(candidate), isStreamed, signal })
  }

  /** @throws ProviderError when the provider cannot be used now */
  ask(): AsyncIterable<ProviderChunk> {
    const { candidate } = this
    const provider = this.#options.providerOf(candidate)
    return provider.chat(this.#options.requestFor(candidate), this.#timer.signal)
  }

  async *deltas(): AsyncGenerator<ProviderChunk> {
    const held: ProviderChunk[] = []
    const ends = new ChoiceEnds()
    for await (const chunk of this.ask()) {
      ends.note(chunk)
      if (!this.hasDelta && carriesDelta(chunk)) {
        this.hasDelta = true
        this.trial.answering()
        yield* held.splice(0)
      }
      this.#timer.arrived(this.hasDelta)
      if (this.hasDelta) yield chunk
      else held.push(chunk)
      this.#timer.waits()
    }
    this.#timer.end()
    ends.refuseUnfinished()
    yield* held
  }

  end(): void {
    this.#timer.end()
    this.trial.end()
  }
}

function carriesDelta(chunk: ProviderChunk): boolean {
  return chunk.choices.some(
    ({ delta }) =>
      Boolean(delta.content || delta.refusal || delta.reasoning || delta.reasoning_content) ||
      (delta.tool_calls?.length ?? 0) > 0,
  )
}

function refusedByUpstream(error: ProviderError): ServiceError {
  return new ServiceError('invalid_parameter', error.message, {
    cause: error,
    headers: { 'x-should-retry': 'false' },
  })
}
