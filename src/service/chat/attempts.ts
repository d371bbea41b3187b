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
import { wholeAnswer, type WholeAnswer } from './collect.ts'
import type { BreakerTrial } from './breaker.ts'
import { ChoiceEnds } from './choice-ends.ts'
import type { Deployments } from './deployments.ts'
import { race, type Hedge } from './hedge.ts'
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
  /** Null where no second model is asked beside the first. */
  hedge: Hedge | null
  signal: AbortSignal
  onAttempt(candidate: Candidate): void
  /** Told of every failed attempt, whether or not another candidate is left. */
  onFailure(candidate: Candidate, error: ProviderError): void
  onSuccess(candidate: Candidate): void
  /** Told, where two were asked, of the one that answers and, cut off, of the other. */
  onRaceWon(winner: Candidate, loser: Candidate | null): void
  /** Monotonic milliseconds. */
  clock(): number
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
  const raced = options.hedge && (await hedgedWhole(attempts, options.hedge))
  if (raced) return raced
  for (;;) {
    const attempt = attempts.begin()
    try {
      const answer = wholeAnswer(await attempt.complete())
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
  if (options.hedge && (yield* hedgedStream(attempts, options.hedge))) return
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

/** Null when who was asked failed: others may follow. */
async function hedgedWhole(
  attempts: Attempts,
  hedge: Hedge,
): Promise<{ candidate: Candidate; answer: WholeAnswer } | null> {
  const raced = await attempts.race(hedge, async (attempt) => wholeAnswer(await attempt.complete()))
  if (!raced) return null
  const { attempt, shown } = raced
  attempt.trial.answering()
  attempts.succeeded(attempt)
  attempt.end()
  return { candidate: attempt.candidate, answer: shown }
}

/** @returns whether it answered; when not, others may follow */
async function* hedgedStream(
  attempts: Attempts,
  hedge: Hedge,
): AsyncGenerator<AttemptedChunk, boolean> {
  const raced = await attempts.race(hedge, async (attempt) => {
    const chunks = attempt.deltas()
    return { chunks, first: await chunks.next() }
  })
  if (!raced) return false
  const { attempt, shown } = raced
  const { candidate } = attempt
  try {
    for (let next = shown.first; next.done !== true; next = await shown.chunks.next()) {
      yield { candidate, chunk: next.value }
    }
    attempts.succeeded(attempt)
    return true
  } catch (cause) {
    attempts.failed(attempt, cause)
    return false
  } finally {
    attempt.end()
    await shown.chunks.return(undefined)
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

  /**
   * The first attempt, and after a while a second beside it. Null when all that were asked failed.
   * The winner's `end` must be called.
   */
  async race<Shown>(
    hedge: Hedge,
    ask: (attempt: Attempt) => Promise<Shown>,
  ): Promise<{ attempt: Attempt; shown: Shown } | null> {
    const running: Attempt[] = []
    const start = (attempt: Attempt) => {
      running.push(attempt)
      return { attempt, startedMs: this.#options.clock(), shown: ask(attempt) }
    }
    const first = this.begin()
    let winner: Attempt | null = null
    try {
      const won = await race<Shown, ReturnType<typeof start>>(start(first), {
        afterMs: hedge.delayMs(first.candidate),
        launch: () => {
          const second = this.#beginBeside(first, hedge)
          return second && start(second)
        },
        failed: ({ attempt }, cause) => this.failed(attempt, cause),
      })
      if (won === null) return null
      winner = won.winner.attempt
      hedge.shown(winner.candidate, this.#options.clock() - won.winner.startedMs)
      if (running.length > 1) {
        this.#options.onRaceWon(winner.candidate, won.loser?.attempt.candidate ?? null)
      }
      return { attempt: winner, shown: won.shown }
    } finally {
      for (const attempt of running) if (attempt !== winner) attempt.cancel()
    }
  }

  /** Null where nobody may be asked beside it: its price, the router's money, the retries of all. */
  #beginBeside(first: Attempt, hedge: Hedge): Attempt | null {
    const { budget } = this.#options.deployments
    const candidate = this.#turns.nextIf(
      (next) => hedge.allows(first.candidate, next) && budget.withdraw(),
    )
    if (candidate === null) return null
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

  /** All of the answer. @throws ProviderError at once, too, when the provider cannot be used now */
  complete(): Promise<ProviderChunk> {
    const { candidate } = this
    const provider = this.#options.providerOf(candidate)
    return provider.complete(this.#options.requestFor(candidate), this.#timer.signal)
  }

  /** The answer as it comes, held back until something for the caller is in it. */
  async *deltas(): AsyncGenerator<ProviderChunk> {
    const { candidate } = this
    const provider = this.#options.providerOf(candidate)
    const request = this.#options.requestFor(candidate)
    const ends = new ChoiceEnds()
    const held: ProviderChunk[] = []
    for await (const chunk of provider.stream(request, this.#timer.signal)) {
      ends.note(chunk)
      yield* this.#release(chunk, held)
      this.#timer.waits()
    }
    this.#timer.end()
    ends.refuseUnfinished()
    if (!this.hasDelta) yield* held
  }

  /**
   * @param held  what came before the first delta
   * @returns what may go out now that this chunk has come: nothing before the first delta
   */
  #release(chunk: ProviderChunk, held: ProviderChunk[]): readonly ProviderChunk[] {
    if (this.hasDelta) {
      this.#timer.arrived(true)
      return [chunk]
    }
    held.push(chunk)
    if (!carriesDelta(chunk)) {
      this.#timer.arrived(false)
      return []
    }
    this.hasDelta = true
    this.trial.answering()
    this.#timer.arrived(true)
    return held
  }

  /** Leaves the upstream, whatever it was doing. */
  cancel(): void {
    this.#timer.cancel()
    this.end()
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
