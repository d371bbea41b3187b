/**
 * Sends traces and metrics of finished requests to an OpenTelemetry collector. A request is only added to a bounded list; batches
 * are built and sent later. While the collector fails, requests that do not fit are dropped and counted: telemetry may be lost,
 * rows of the ledger may not.
 */
import { send, type CollectorOptions, type SendResult } from './collector.ts'
import { RequestHistograms } from './histograms.ts'
import { metricsBody, toAttributes, tracesBody } from './otlp.ts'
import type { FinishedRequest, ProviderTypeOf } from './request-figures.ts'
import { isSampled, spansOf } from './spans.ts'

export interface TelemetryOptions extends Omit<CollectorOptions, 'timeoutMs' | 'signal' | 'use'> {
  /** Attributes of this process: `service.name` and more. */
  resource: Readonly<Record<string, string>>
  /** The share of traces that are sent when the caller does not decide, 0 to 1. */
  sampleRatio: number
  intervals?: Partial<Intervals>
}

export interface Intervals {
  tracesMs: number
  metricsMs: number
  /** Time limit of one message. */
  timeoutMs: number
  /** Wait before the second attempt; it doubles up to 30 s. */
  firstRetryMs: number
  /** How long a stop waits for the last messages. */
  closeMs: number
}

interface TelemetryParts extends Pick<CollectorOptions, 'use'> {
  typeOf: ProviderTypeOf
  now(): number
  /** Called when the collector begins to fail, and with null when it accepts again. */
  onStatus(reason: string | null): void
}

const defaultIntervals: Intervals = {
  tracesMs: 5_000,
  metricsMs: 60_000,
  timeoutMs: 10_000,
  firstRetryMs: 1_000,
  closeMs: 2_000,
}
const lastRetryMs = 30_000
/** Requests of one message: writing it blocks the event loop for about 1 ms. */
const batchSize = 128
const maxWaiting = 2_048

export class Telemetry {
  readonly #options: TelemetryOptions
  readonly #parts: TelemetryParts
  readonly #intervals: Intervals
  readonly #resource: ReturnType<typeof toAttributes>
  readonly #histograms: RequestHistograms
  readonly #waiting: FinishedRequest[] = []
  readonly #metricsTimer: NodeJS.Timeout
  /** Aborts when a stop has waited long enough. */
  readonly #deadline = new AbortController()
  #tracesTimer: NodeJS.Timeout | undefined
  #sending: Promise<void> | null = null
  #retryMs: number
  /** Why each kind of message is not accepted: some collectors take only one of them. */
  readonly #problems = new Map<string, string>()
  #isClosed = false
  #dropped = 0

  constructor(options: TelemetryOptions, parts: TelemetryParts) {
    this.#options = options
    this.#parts = parts
    this.#intervals = { ...defaultIntervals, ...options.intervals }
    this.#retryMs = this.#intervals.firstRetryMs
    this.#resource = toAttributes(options.resource)
    this.#histograms = new RequestHistograms(parts.typeOf, parts.now())
    this.#metricsTimer = setInterval(() => void this.#sendMetrics(), this.#intervals.metricsMs)
    this.#metricsTimer.unref()
  }

  /** Requests whose spans were dropped since the start. */
  get dropped(): number {
    return this.#dropped
  }

  add(request: FinishedRequest): void {
    this.#histograms.add(request)
    if (!isSampled(request, this.#options.sampleRatio)) return
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(request)
    if (this.#tracesTimer === undefined) this.#schedule(this.#intervals.tracesMs)
    else if (this.#waiting.length === batchSize && !this.#problems.has('v1/traces'))
      this.#schedule(0)
  }

  /** Sends what waits, once, for 2 s at most. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#metricsTimer)
    clearTimeout(this.#tracesTimer)
    const deadline = setTimeout(() => this.#deadline.abort(), this.#intervals.closeMs)
    await this.#sending
    while (this.#waiting.length > 0 && !this.#deadline.signal.aborted) {
      if ((await this.#sendBatch()).kind === 'failed') break
    }
    this.#dropped += this.#waiting.splice(0).length
    await this.#sendMetrics()
    clearTimeout(deadline)
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return
    clearTimeout(this.#tracesTimer)
    this.#tracesTimer = setTimeout(() => {
      this.#sending ??= this.#sendWaiting().finally(() => {
        this.#sending = null
      })
    }, delayMs)
    this.#tracesTimer.unref()
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const sent = await this.#sendBatch()
      if (sent.kind === 'failed') {
        this.#schedule(sent.afterMs ?? this.#retryMs)
        this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2)
        return
      }
      this.#retryMs = this.#intervals.firstRetryMs
    }
    this.#tracesTimer = undefined
  }

  /** Sends a batch, which stays in the list until the collector has it or refuses it. */
  async #sendBatch(): Promise<SendResult> {
    const batch = this.#waiting.slice(0, batchSize)
    const spans = batch.flatMap((request) => spansOf(request, this.#parts.typeOf))
    const sent = await this.#send('v1/traces', tracesBody(this.#resource, spans))
    if (sent.kind === 'failed') return sent
    this.#waiting.splice(0, batch.length)
    if (sent.kind === 'refused') this.#dropped += batch.length
    return sent
  }

  /** Sends the metrics once: the next message contains the same figures. */
  async #sendMetrics(): Promise<void> {
    const metrics = this.#histograms.metrics(this.#parts.now())
    if (metrics.length === 0) return
    await this.#send('v1/metrics', metricsBody(this.#resource, metrics))
  }

  async #send(path: Parameters<typeof send>[0], body: object): Promise<SendResult> {
    const sent = await send(path, body, {
      ...this.#options,
      timeoutMs: this.#intervals.timeoutMs,
      use: this.#parts.use,
      signal: this.#deadline.signal,
    })
    const wasFailing = this.#problems.size > 0
    if (sent.kind === 'accepted') this.#problems.delete(path)
    else this.#problems.set(path, sent.reason)
    const [problem = null] = this.#problems.values()
    if (wasFailing !== (problem !== null)) this.#parts.onStatus(problem)
    return sent
  }
}
