/** One request to one candidate, and what has arrived of its answer. */
import { isEmpty } from '../../providers/passed-fields.ts'
import { ProviderError, type ProviderChunk } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { ChoiceEnds } from '../answer/choice-ends.ts'
import { AttemptTimer } from './attempt-timer.ts'
import type { AttemptsOptions, ChatAttemptsOptions } from './attempts-options.ts'
import type { BreakerTrial } from './breaker.ts'

/** Far more than the empty pieces with which some upstreams keep a connection open while a model thinks. */
const maxHeldPieces = 10_000

export class Attempt {
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

export class ChatAttempt extends Attempt {
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
    // At once: the chunk itself is lost when the stream breaks before its first output.
    if (chunk.earlyUsage !== undefined)
      this.#options.listener.usageTold?.(this.candidate, chunk.earlyUsage)
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
    throw new ProviderError('invalid_response', 'the answer goes on without any content', {
      isLasting: true,
    })
  }
}

/** Content, a refusal, reasoning, a tool call, or any field that is passed on. */
function carriesDelta(chunk: ProviderChunk): boolean {
  return chunk.choices.some(({ delta }) => {
    for (const name in delta) if (!isEmpty(delta[name])) return true
    return false
  })
}
