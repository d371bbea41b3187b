/** Histograms of the GenAI conventions, counted from the start of the process. */
import { toAttributes, toNanoseconds, type Metric } from './otlp.ts'
import {
  answerAttributes,
  attemptAttributes,
  requestError,
  tokenTotals,
  type Attributes,
  type FinishedRequest,
  type ProviderTypeOf,
} from './request-figures.ts'

/** The bounds that the conventions recommend. */
const secondBounds = Array.from({ length: 14 }, (_, index) => 2 ** index / 100)
const tokenBounds = Array.from({ length: 14 }, (_, index) => 4 ** index)

interface Series {
  labels: Attributes
  counts: number[]
  sum: number
}

class Histogram {
  readonly #series = new Map<string, Series>()
  readonly #about: Pick<Metric, 'name' | 'unit' | 'description'>
  readonly #bounds: readonly number[]

  constructor(about: Pick<Metric, 'name' | 'unit' | 'description'>, bounds: readonly number[]) {
    this.#about = about
    this.#bounds = bounds
  }

  add(value: number, labels: Attributes): void {
    const key = Object.values(labels).join('\n')
    const series = this.#series.get(key) ?? {
      labels,
      counts: Array.from({ length: this.#bounds.length + 1 }, () => 0),
      sum: 0,
    }
    this.#series.set(key, series)
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    const index = bucket === -1 ? this.#bounds.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += value
  }

  toMetric(startMs: number, nowMs: number): Metric {
    const dataPoints = [...this.#series.values()].map(({ labels, counts, sum }) => ({
      attributes: toAttributes(labels),
      startTimeUnixNano: toNanoseconds(startMs),
      timeUnixNano: toNanoseconds(nowMs),
      count: String(counts.reduce((total, count) => total + count, 0)),
      sum,
      bucketCounts: counts.map(String),
      explicitBounds: this.#bounds,
    }))
    return { ...this.#about, histogram: { aggregationTemporality: 2, dataPoints } }
  }
}

export class RequestHistograms {
  readonly #attempts = new Histogram(
    {
      name: 'gen_ai.client.operation.duration',
      unit: 's',
      description: 'Duration of each attempt at a provider.',
    },
    secondBounds,
  )
  readonly #tokens = new Histogram(
    {
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      description: 'Input and output tokens of each request.',
    },
    tokenBounds,
  )
  readonly #requests = new Histogram(
    {
      name: 'gen_ai.server.request.duration',
      unit: 's',
      description: 'From the request to the end of its answer.',
    },
    secondBounds,
  )
  readonly #firstTokens = new Histogram(
    {
      name: 'gen_ai.server.time_to_first_token',
      unit: 's',
      description: 'From the request to its first token, of answered requests.',
    },
    secondBounds,
  )
  readonly #typeOf: ProviderTypeOf
  readonly #startMs: number

  /** @param startMs  Unix time */
  constructor(typeOf: ProviderTypeOf, startMs: number) {
    this.#typeOf = typeOf
    this.#startMs = startMs
  }

  add({ record, detail }: FinishedRequest): void {
    for (const attempt of detail.attempts)
      this.#attempts.add(
        attempt.tookMs / 1000,
        attemptAttributes({ detail, attempt }, this.#typeOf),
      )
    const answered = answerAttributes({ record, detail }, this.#typeOf)
    const error = requestError(record)
    this.#requests.add(record.latencyMs / 1000, { ...answered, 'error.type': error })
    if (error === null && record.firstTokenMs !== null)
      this.#firstTokens.add(record.firstTokenMs / 1000, answered)
    if (detail.tokenSource === 'none') return
    const { input, output } = tokenTotals(detail)
    this.#tokens.add(input, { ...answered, 'gen_ai.token.type': 'input' })
    this.#tokens.add(output, { ...answered, 'gen_ai.token.type': 'output' })
  }

  /** Metrics that have figures. */
  metrics(nowMs: number): Metric[] {
    return [this.#attempts, this.#tokens, this.#requests, this.#firstTokens]
      .map((histogram) => histogram.toMetric(this.#startMs, nowMs))
      .filter(({ histogram }) => histogram.dataPoints.length > 0)
  }
}
