/**
 * The candidates of one request, tried one after another. Before the first content, reasoning or tool
 * delta, a failure falls over to the next candidate and the caller does not notice. After it the model
 * is never switched, so an answer never mixes the output of two models.
 */
import { ServiceError } from '../../errors.ts'
import { ProviderError, type Provider, type ProviderChunk } from '../../providers/provider.ts'
import { isEmpty } from '../../providers/passed-fields.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { allUnavailable, type Failure } from './all-unavailable.ts'
import { AttemptTimer } from './attempt-timer.ts'
import type { AttemptsOptions, ChatAttemptsOptions } from './attempts-options.ts'
import { wholeAnswer, type WholeAnswer } from '../answer/collect.ts'
import type { BreakerTrial } from './breaker.ts'
import { CandidateQueue } from './candidate-queue.ts'
import { ChoiceEnds } from '../answer/choice-ends.ts'
import { race, type Hedge } from './hedge.ts'

export interface AttemptedChunk {
  candidate: Candidate
  chunk: ProviderChunk
}

/**
 * The whole answer of the first candidate that succeeds.
 * @throws ServiceError invalid_parameter (the upstream refused the request itself),
 *   all_models_unavailable (naming each model and its cause); the signal's reason on abort
 */
export async function attemptWhole(
  options: ChatAttemptsOptions,
): Promise<{ candidate: Candidate; answer: WholeAnswer }> {
  const attempts = chatAttempts(options)
  const raced = options.hedge && (await hedgedWhole(attempts, options.hedge))
  if (raced) return raced
  return await untilAnswered(attempts, async (attempt) => wholeAnswer(await attempt.complete()))
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
  return await untilAnswered(attempts, async ({ candidate, signal }) =>
    ask(upstreams.providerOf(candidate), candidate, signal),
  )
}

async function untilAnswered<One extends Attempt, Answer>(
  attempts: Attempts<One>,
  ask: (attempt: One) => Promise<Answer>,
): Promise<{ candidate: Candidate; answer: Answer }> {
  for (;;) {
    const attempt = attempts.begin()
    try {
      const answer = await ask(attempt)
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
    const attempt = attempts.begin()
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

/** Null when every model asked failed; the next candidate may be tried. */
async function hedgedWhole(
  attempts: Attempts<ChatAttempt>,
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
  readonly #failures: Failure[] = []

  constructor(options: AttemptsOptions, create: (candidate: Candidate) => One) {
    this.#options = options
    this.#create = create
    this.#queue = new CandidateQueue(options)
    options.deployments.budget.deposit()
  }

  /** The next candidate's attempt; its `end` must be called. @throws ServiceError all_models_unavailable */
  begin(): One {
    const { budget } = this.#options.deployments
    const candidate = this.#queue.next()
    if (candidate === null || (this.#failures.length > 0 && !budget.withdraw())) {
      throw allUnavailable(this.#failures, this.#options)
    }
    this.#options.listener.attemptStarted(candidate)
    return this.#create(candidate)
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
    const first = this.begin()
    let winner: One | null = null
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
        this.#options.listener.raceWon(winner.candidate, won.loser?.attempt.candidate ?? null)
      }
      return { attempt: winner, shown: won.shown }
    } finally {
      for (const attempt of running) if (attempt !== winner) attempt.cancel()
    }
  }

  /** Null when the price, the router's hedging money or the retry budget rules out a second attempt. */
  #beginBeside(first: One, hedge: Hedge): One | null {
    const { budget } = this.#options.deployments
    const candidate = this.#queue.nextIf(
      (next) => hedge.allows(first.candidate, next) && budget.withdraw(),
    )
    if (candidate === null) return null
    this.#options.listener.attemptStarted(candidate)
    return this.#create(candidate)
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
    if (error.kind === 'request' && !goesOn) throw refusedByUpstream(error)
    this.#failures.push({ candidate, error })
    if (hasDelta) throw this.#brokenOff(candidate, error)
  }

  /** The code and the wait are those of a router without a working model; the words say what happened. */
  #brokenOff({ modelId }: Candidate, error: ProviderError): StreamBroken {
    const { code, headers } = allUnavailable(this.#failures, this.#options)
    const message = `The answer broke off: ${modelId} did not finish it (${error.message.replace(/\.$/, '')}).`
    return new StreamBroken(
      new ServiceError(code, message, { headers: { ...headers }, cause: error }),
    )
  }

  /** An adapter that throws anything but a ProviderError has a bug; the request still falls over. */
  #asProviderError(cause: unknown): ProviderError {
    if (cause instanceof ProviderError) return cause
    this.#options.listener.unexpectedError(cause)
    return new ProviderError('invalid_response', 'the adapter failed', { cause })
  }
}

/** Far more than the empty pieces with which some upstreams keep a connection open while a model thinks. */
const maxHeldPieces = 10_000

/** One request to one candidate. */
class Attempt {
  readonly candidate: Candidate
  readonly trial: BreakerTrial
  /** Whether output for the caller has arrived; from then on the model is not switched. */
  hasDelta = false
  protected readonly timer: AttemptTimer

  constructor(candidate: Candidate, options: AttemptsOptions) {
    const { deployments, isStreamed, signal } = options
    this.candidate = candidate
    this.trial = deployments.begin(candidate.modelId, isStreamed)
    this.timer = new AttemptTimer({
      limits: options.upstreams.timeLimitsOf(candidate),
      isStreamed,
      signal,
    })
  }

  /** Aborts when a time limit passes, the caller disconnects or `cancel` is called. */
  get signal(): AbortSignal {
    return this.timer.signal
  }

  /** Closes the upstream request, whatever its state. */
  cancel(): void {
    this.timer.cancel()
    this.end()
  }

  end(): void {
    this.timer.end()
    this.trial.end()
  }
}

class ChatAttempt extends Attempt {
  readonly #options: ChatAttemptsOptions
  readonly #ends = new ChoiceEnds()
  /** Chunks not returned yet: all until the first delta. */
  readonly #held: ProviderChunk[] = []
  #heldPieces = 0
  #chunks: AsyncIterator<ProviderChunk> | null = null

  constructor(candidate: Candidate, options: ChatAttemptsOptions) {
    super(candidate, options)
    this.#options = options
  }

  /** The whole answer. @throws ProviderError, synchronously when the provider cannot be used now */
  complete(): Promise<ProviderChunk> {
    const { candidate } = this
    const provider = this.#options.upstreams.providerOf(candidate)
    return provider.complete(this.#options.upstreams.requestFor(candidate), this.timer.signal)
  }

  /**
   * The next chunk of the answer as it streams, held back until the answer carries output for the caller.
   * A method and not a generator: each generator adds half a kilobyte of promises to every chunk.
   * @returns null at the end
   */
  async next(): Promise<ProviderChunk | null> {
    const chunks = (this.#chunks ??= this.#openStream())
    while (!this.#isReleased()) {
      this.timer.waits()
      const next = await chunks.next()
      if (next.done === true) return this.#finish()
      this.#add(next.value)
    }
    return this.#held.shift() ?? null
  }

  #isReleased(): boolean {
    return this.hasDelta && this.#held.length > 0
  }

  #openStream(): AsyncIterator<ProviderChunk> {
    const { candidate } = this
    const { upstreams } = this.#options
    const provider = upstreams.providerOf(candidate)
    const stream = provider.stream(upstreams.requestFor(candidate), this.timer.signal)
    return stream[Symbol.asyncIterator]()
  }

  /** @returns what was held back, if the answer ended without a delta */
  #finish(): ProviderChunk | null {
    this.timer.end()
    this.#ends.refuseUnfinished()
    return this.#held.shift() ?? null
  }

  /** Closes a stream that was not read to its end. */
  async closeStream(): Promise<void> {
    await this.#chunks?.return?.()
  }

  #add(chunk: ProviderChunk): void {
    this.#ends.note(chunk)
    this.#held.push(chunk)
    if (this.hasDelta) {
      this.timer.arrived(true)
      return
    }
    this.hasDelta = carriesDelta(chunk)
    this.timer.arrived(this.hasDelta)
    if (this.hasDelta) this.trial.answering()
    else this.#refuseEndless(chunk)
  }

  #refuseEndless({ choices, events }: ProviderChunk): void {
    this.#heldPieces += Math.max(1, choices.length, events?.length ?? 0)
    if (this.#heldPieces <= maxHeldPieces) return
    throw new ProviderError('invalid_response', 'the answer goes on without any content')
  }
}

/** Content, a refusal, reasoning, a tool call, or any field that is passed on. */
function carriesDelta(chunk: ProviderChunk): boolean {
  return chunk.choices.some(({ delta }) => {
    for (const name in delta) if (!isEmpty(delta[name])) return true
    return false
  })
}

function refusedByUpstream(error: ProviderError): ServiceError {
  const code = error.isTooLong ? 'context_length_exceeded' : 'invalid_parameter'
  return new ServiceError(code, error.upstreamMessage ?? error.message, {
    cause: error,
    headers: { 'x-should-retry': 'false' },
  })
}
