/** The time limits of one attempt, as a signal for the provider that aborts when one of them passes. */
import { ProviderError } from '../../providers/provider.ts'
import type { TimeLimits } from '../../../shared/routers/time-limits.ts'

export interface AttemptTimerOptions {
  limits: TimeLimits
  /** A whole answer has only a total limit. */
  isStreamed: boolean
  /** Aborts when the caller disconnects; that aborts the attempt, too. */
  signal: AbortSignal
}

/** Runs from its construction until `end`, which must be called. */
export class AttemptTimer {
  readonly #controller = new AbortController()
  readonly #options: AttemptTimerOptions
  readonly #total: NodeJS.Timeout
  /** Timer until the first delta, then between chunks. */
  #step: NodeJS.Timeout | null = null
  #hasBegun = false
  #isWaiting = true

  constructor(options: AttemptTimerOptions) {
    const { limits, isStreamed, signal } = options
    this.#options = options
    signal.addEventListener('abort', this.#onCallerGone, { once: true })
    if (signal.aborted) this.#onCallerGone()
    this.#total = setTimeout(() => this.#over('the answer', limits.totalMs), limits.totalMs)
    if (isStreamed) this.#step = this.#untilFirstToken(limits.firstTokenMs)
  }

  /** Signal whose reason is the ProviderError of the limit, or the caller's own reason. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** A chunk arrived. @param carriesDelta  whether it carries output for the caller */
  arrived(carriesDelta: boolean): void {
    this.#isWaiting = false
    if (this.#hasBegun || !carriesDelta || this.#step === null) return
    this.#hasBegun = true
    clearTimeout(this.#step)
    this.#step = this.#untilNextChunk(this.#options.limits.betweenChunksMs)
  }

  /** Starts waiting for the next chunk; the time that the reader took for the last one does not count. */
  waits(): void {
    this.#isWaiting = true
    if (this.#hasBegun) this.#step?.refresh()
  }

  /** Closes the upstream request at once, because another model was faster. */
  cancel(): void {
    this.#controller.abort(new ProviderError('unavailable', 'another model was quicker'))
  }

  end(): void {
    this.#options.signal.removeEventListener('abort', this.#onCallerGone)
    clearTimeout(this.#total)
    if (this.#step) clearTimeout(this.#step)
  }

  readonly #onCallerGone = () => this.#controller.abort(this.#options.signal.reason)

  #untilFirstToken(limitMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#over('the first token', limitMs), limitMs)
  }

  #untilNextChunk(limitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      // Otherwise the reader is slow, not the upstream; `waits` restarts the timer.
      if (this.#isWaiting) this.#over('the next part of the answer', limitMs)
    }, limitMs)
  }

  #over(what: string, limitMs: number): void {
    const words = `${what} took longer than ${limitMs / 1000} s`
    this.#controller.abort(new ProviderError('timeout', words))
  }
}
