/**
 * The candidates of one request, tried one after another. Before the first content, reasoning or tool
 * delta, a failure falls over to the next candidate and the caller does not notice; a request that has only
 * one candidate asks it again. After it the model is never switched, so an answer never mixes the output of
 * two models.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { ProviderError, type Provider, type ProviderChunk } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { allUnavailable, type Failure } from './all-unavailable.ts'
import { Attempt, ChatAttempt } from './attempt.ts'
import type { AttemptsOptions, ChatAttemptsOptions } from './attempts-options.ts'
import { wholeAnswer, type WholeAnswer } from '../answer/collect.ts'
import { CandidateQueue } from './candidate-queue.ts'
import { race, type Hedge } from './hedge.ts'
import { Repetitions } from './repetitions.ts'

export interface AttemptedChunk {
  candidate: Candidate
  chunk: ProviderChunk
}

/**
 * The whole answer of the first candidate that succeeds.
 * @throws ServiceError invalid_parameter (the upstream refused the request itself),
 *   all_models_unavailable (naming each model and its cause); the signal's reason on abort
 */
export function attemptWhole(
  options: ChatAttemptsOptions,
): Promise<{ candidate: Candidate; answer: WholeAnswer }> {
  const attempts = chatAttempts(options)
  const ask = askWhole(options)
  if (options.hedge === null) return untilAnswered(attempts, ask, wholeAnswer)
  return hedgedWhole(attempts, options.hedge, ask).then(
    (raced) => raced ?? untilAnswered(attempts, ask, wholeAnswer),
  )
}

/** @returns asks one candidate. It throws ProviderError, synchronously when the provider cannot be used now */
function askWhole({ upstreams }: ChatAttemptsOptions) {
  return function ask({ candidate, signal }: ChatAttempt): Promise<ProviderChunk> {
    return upstreams.providerOf(candidate).complete(upstreams.requestFor(candidate), signal)
  }
}

/**
 * The same for what is not a chat.
 * @param ask  sends the request to one candidate
 * @throws as `attemptWhole`
 */
export async function attemptEach<Answer>(
  options: AttemptsOptions,
  ask: (provider: Provider, candidate: Candidate, signal: AbortSignal) => Promise<Answer>,
): Promise<{ candidate: Candidate; answer: Answer }> {
  const attempts = new Attempts(options, (candidate) => new Attempt(candidate, options))
  const { upstreams } = options
  return await untilAnswered(
    attempts,
    ({ candidate, signal }) => ask(upstreams.providerOf(candidate), candidate, signal),
    (answer) => answer,
  )
}

/** @param read  of what was received. Its errors are the attempt's, too */
async function untilAnswered<One extends Attempt, Received, Answer>(
  attempts: Attempts<One>,
  ask: (attempt: One) => Promise<Received>,
  read: (received: Received) => Answer,
): Promise<{ candidate: Candidate; answer: Answer }> {
  for (;;) {
    const begun = attempts.begin()
    const attempt = (begun instanceof Promise ? await begun : begun) ?? (await attempts.again())
    try {
      const answer = read(await ask(attempt))
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
 * The answer as it streams; chunks are held back until the first that carries output.
 * @throws as `attemptWhole`, and after the first delta `StreamBroken`
 */
export async function* attemptStreamed(
  options: ChatAttemptsOptions,
): AsyncGenerator<AttemptedChunk> {
  const attempts = chatAttempts(options)
  if (options.hedge && (yield* hedgedStream(attempts, options.hedge))) return
  for (;;) {
    const attempt = (await attempts.begin()) ?? (await attempts.again())
    const { candidate } = attempt
    try {
      for (let chunk = await attempt.next(); chunk !== null; chunk = await attempt.next()) {
        yield { candidate, chunk }
      }
      attempts.succeeded(attempt)
      return
    } catch (cause) {
      attempts.failed(attempt, cause)
    } finally {
      attempt.end()
      await attempt.closeStream()
    }
  }
}

function chatAttempts(options: ChatAttemptsOptions): Attempts<ChatAttempt> {
  return new Attempts(options, (candidate) => new ChatAttempt(candidate, options))
}

/** @returns null when every model asked failed; the next candidate may be tried */
async function hedgedWhole(
  attempts: Attempts<ChatAttempt>,
  hedge: Hedge,
  ask: (attempt: ChatAttempt) => Promise<ProviderChunk>,
): Promise<{ candidate: Candidate; answer: WholeAnswer } | null> {
  const raced = await attempts.race(hedge, async (attempt) => wholeAnswer(await ask(attempt)))
  if (!raced) return null
  const { attempt, shown } = raced
  attempt.trial.answering()
  attempts.succeeded(attempt)
  attempt.end()
  return { candidate: attempt.candidate, answer: shown }
}

/** @returns whether a model answered; if not, the next candidate may be tried */
async function* hedgedStream(
  attempts: Attempts<ChatAttempt>,
  hedge: Hedge,
): AsyncGenerator<AttemptedChunk, boolean> {
  const raced = await attempts.race(hedge, (attempt) => attempt.next())
  if (!raced) return false
  const { attempt, shown } = raced
  const { candidate } = attempt
  try {
    for (let chunk = shown; chunk !== null; chunk = await attempt.next()) {
      yield { candidate, chunk }
    }
    attempts.succeeded(attempt)
    return true
  } catch (cause) {
    attempts.failed(attempt, cause)
    return false
  } finally {
    attempt.end()
    await attempt.closeStream()
  }
}

/** The answer started and could not be finished; `error` is sent to the caller. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken'
  readonly error: ServiceError

  constructor(error: ServiceError) {
    super(error.message, { cause: error })
    this.error = error
  }
}

/** The attempts of one request: what comes next, and what has failed. */
class Attempts<One extends Attempt> {
  readonly #options: AttemptsOptions
  readonly #create: (candidate: Candidate) => One
  readonly #queue: CandidateQueue
  /** The last failure of each candidate that was tried. */
  readonly #failures = new Map<Candidate, Failure>()
  /** Candidates whose attempt the budget does not cover. */
  readonly #unaffordable = new Set<Candidate>()
  readonly #repetitions: Repetitions

  constructor(options: AttemptsOptions, create: (candidate: Candidate) => One) {
    this.#options = options
    this.#create = create
    this.#queue = new CandidateQueue(options)
    this.#repetitions = new Repetitions(options)
    options.deployments.budget.deposit()
  }

  /** The next candidate's attempt, whose `end` must be called; null when none is left that the budget covers. */
  begin(): One | null | Promise<One | null> {
    const candidate = this.#queue.next()
    if (candidate === null) return null
    // Most requests have no budget, and begin at once.
    const isCovered = this.#options.covers(candidate)
    return isCovered === true
      ? this.#beginCovered(candidate)
      : this.#beginOnce(candidate, isCovered)
  }

  async #beginOnce(
    candidate: Candidate,
    isCovered: boolean | Promise<boolean>,
  ): Promise<One | null> {
    if (await isCovered) return this.#beginCovered(candidate)
    this.#unaffordable.add(candidate)
    return await this.begin()
  }

  #beginCovered(candidate: Candidate): One {
    const { budget } = this.#options.deployments
    // A request that one model cannot take is no sign of an outage, which more requests would make worse.
    const isRetry = [...this.#failures.values()].some(({ error }) => error.kind !== 'request')
    if (isRetry && !budget.withdraw()) throw this.#allUnavailable()
    return this.#start(candidate)
  }

  /**
   * The only candidate that could be tried, once more after a wait. The attempt's `end` must be called.
   * @throws ServiceError all_models_unavailable; the signal's reason on abort
   */
  async again(): Promise<One> {
    const [failure, ...others] = this.#failures.values()
    if (failure === undefined || others.length > 0) throw this.#allUnavailable()
    const waitMs = this.#repetitions.nextWaitMs(failure)
    const { budget } = this.#options.deployments
    if (waitMs === null || !budget.withdraw()) throw this.#allUnavailable()
    await delay(waitMs, undefined, { signal: this.#options.signal }).catch(() => {})
    this.#options.signal.throwIfAborted()
    if (!this.#repetitions.isPossible(failure.candidate)) return await this.again()
    const { candidate } = failure
    if (await this.#options.covers(candidate)) return this.#start(candidate)
    this.#unaffordable.add(candidate)
    throw this.#allUnavailable()
  }

  /** @throws the signal's reason if the caller left before anything was sent */
  #start(candidate: Candidate): One {
    this.#options.signal.throwIfAborted()
    this.#options.listener.attemptStarted(candidate)
    return this.#create(candidate)
  }

  #allUnavailable(): ServiceError {
    const failures = [...this.#failures.values()]
    const unsent = failures.filter(({ error }) => error.isUnsent)
    // No model can take it, now or later.
    if (unsent[0] && unsent.length === this.#options.candidates.length)
      return refusedByUpstream(unsent[0].error)
    return allUnavailable(failures, { ...this.#options, unaffordable: this.#unaffordable })
  }

  /**
   * The first attempt, and after the hedge's delay a second one. Null when all attempts failed.
   * The winner's `end` must be called.
   */
  async race<Shown>(
    hedge: Hedge,
    ask: (attempt: One) => Promise<Shown>,
  ): Promise<{ attempt: One; shown: Shown } | null> {
    const running: One[] = []
    const start = (attempt: One) => {
      running.push(attempt)
      return { attempt, startedMs: this.#options.clock(), shown: ask(attempt) }
    }
    const first = (await this.begin()) ?? (await this.again())
    let winner: One | null = null
    try {
      const won = await race<Shown, ReturnType<typeof start>>(start(first), {
        afterMs: hedge.delayMs(first.candidate),
        launch: async () => {
          const second = await this.#beginBeside(first, hedge)
          return second && start(second)
        },
        failed: ({ attempt }, cause) => this.failed(attempt, cause),
      })
      if (won === null) return null
      winner = won.winner.attempt
      hedge.shown(winner.candidate, this.#options.clock() - won.winner.startedMs)
      if (running.length > 1) {
        this.#options.listener.raceWon(winner.candidate, won.loser?.attempt.candidate ?? null)
      }
      return { attempt: winner, shown: won.shown }
    } finally {
      for (const attempt of running) if (attempt !== winner) attempt.cancel()
    }
  }

  /** @returns null when the price, a budget, the hedging money or the retry budget rules out a second attempt */
  async #beginBeside(first: One, hedge: Hedge): Promise<One | null> {
    const next = this.#queue.nextReady()
    if (next === null || !(await this.#options.covers(next))) return null
    const { budget } = this.#options.deployments
    if (!hedge.allows(first.candidate, next) || !budget.withdraw()) return null
    this.#queue.take(next)
    return this.#start(next)
  }

  succeeded({ candidate, trial }: Attempt): void {
    trial.succeeded()
    this.#options.listener.attemptSucceeded(candidate)
  }

  /** Returns if the next candidate may be tried. @throws the error that ends the request otherwise */
  failed({ candidate, trial, hasDelta }: Attempt, cause: unknown): void {
    this.#options.signal.throwIfAborted()
    const error = this.#asProviderError(cause)
    trial.failed(error)
    this.#options.listener.attemptFailed(candidate, error)
    const goesOn = error.isTooLong && !hasDelta && this.#queue.keepLarger(candidate)
    if (error.kind === 'request' && !goesOn && !error.isUnsent) throw refusedByUpstream(error)
    this.#failures.set(candidate, { candidate, error })
    if (hasDelta) throw this.#brokenOff(candidate, error)
  }

  /** The code and the wait are those of a router without a working model; the words say what happened. */
  #brokenOff({ modelId }: Candidate, error: ProviderError): StreamBroken {
    const { code, headers, isLasting } = this.#allUnavailable()
    const { message, upstreamMessage } = error
    const words = upstreamMessage === null ? message : `${message}: ${upstreamMessage}`
    return new StreamBroken(
      new ServiceError(
        code,
        `The answer broke off: ${modelId} did not finish it (${words.replace(/\.$/, '')}).`,
        { headers: { ...headers }, isLasting, cause: error },
      ),
    )
  }

  /** An adapter that throws anything but a ProviderError has a bug; the request still falls over. */
  #asProviderError(cause: unknown): ProviderError {
    if (cause instanceof ProviderError) return cause
    this.#options.listener.unexpectedError(cause)
    return new ProviderError('invalid_response', 'the adapter failed', { cause, isLasting: true })
  }
}

/** Error with the upstream's own words, field and status, as far as the caller can act on them. */
function refusedByUpstream(error: ProviderError): ServiceError {
  const { status, message, upstreamMessage, vendor } = error
  return new ServiceError(codeOfRefusal(error), upstreamMessage ?? message, {
    cause: error,
    param: vendor?.param ?? null,
    ...(status === 422 ? { status } : {}),
    headers: { ...error.headers, 'x-should-retry': 'false' },
  })
}

function codeOfRefusal({ isTooLong, status }: ProviderError): ErrorCode {
  if (isTooLong) return 'context_length_exceeded'
  return status === 413 ? 'body_too_large' : 'invalid_parameter'
}
