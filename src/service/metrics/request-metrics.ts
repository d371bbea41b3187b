/** What the requests of this process add up to since it began to count: by router and model. */
import type { RequestDetail, RequestRecord } from '../../shared/entities.ts'
import { addRequest, emptyCell, type UsageCell } from '../storage/usage-cell.ts'
import { writeFamily, writeHistograms, type Family, type Labels } from './exposition.ts'

interface Counts {
  /** Without a model: no model answered. */
  labels: { router: string; model: string }
  cell: UsageCell
  byStatus: Map<number, number>
}

/** Attempts at one model for one router, by how they ended. */
interface Attempts {
  labels: { router: string; model: string }
  byOutcome: Map<string, number>
}

/** How many requests are kept before they are counted: it is done for many at once, or when asked. */
const countedAtOnce = 64

export class RequestMetrics {
  readonly #uncounted: { record: RequestRecord; detail: RequestDetail }[] = []
  readonly #counts = new Map<string, Map<string, Counts>>()
  readonly #attempts = new Map<string, Map<string, Attempts>>()
  readonly #fallovers = new Map<string, number>()

  add(record: RequestRecord, detail: RequestDetail): void {
    this.#uncounted.push({ record, detail })
    if (this.#uncounted.length >= countedAtOnce) this.#count()
  }

  /** @param isSeen  whether the caller may know of a router */
  text(isSeen: (routerId: string) => boolean): string {
    this.#count()
    const counts = valuesOf(this.#counts).filter(({ labels }) => isSeen(labels.router))
    const attempts = valuesOf(this.#attempts).filter(({ labels }) => isSeen(labels.router))
    const fallovers = [...this.#fallovers].filter(([router]) => isSeen(router))
    return [
      ...countFamilies(counts).map(writeFamily),
      writeFamily({
        name: 'modelport_attempts_total',
        type: 'counter',
        help: 'Upstream attempts by outcome: answered, aborted by the caller, or the kind of failure.',
        samples: attempts.flatMap(({ labels, byOutcome }) =>
          [...byOutcome].map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
        ),
      }),
      writeFamily({
        name: 'modelport_fallovers_total',
        type: 'counter',
        help: 'Attempts that followed a failed one of the same request.',
        samples: fallovers.map(([router, value]) => ({ labels: { router }, value })),
      }),
      writeHistograms({
        name: 'modelport_request_duration_seconds',
        help: 'From the request to its last token, of answered requests.',
        samples: counts.map(({ labels, cell }) => ({
          labels,
          histogram: cell.latency,
          sumSeconds: cell.latencyUs / 1e6,
        })),
      }),
      writeHistograms({
        name: 'modelport_first_token_seconds',
        help: 'From the request to its first token, of answered requests.',
        samples: counts.map(({ labels, cell }) => ({
          labels,
          histogram: cell.firstToken,
          sumSeconds: cell.firstTokenUs / 1e6,
        })),
      }),
    ].join('')
  }

  #count(): void {
    for (const { record, detail } of this.#uncounted.splice(0)) {
      const router = record.routerId
      const counts = within(this.#counts, router, record.modelUsed ?? '', (labels) => ({
        labels,
        cell: emptyCell(),
        byStatus: new Map<number, number>(),
      }))
      addRequest(counts.cell, record, detail.tokens)
      increase(counts.byStatus, record.status)
      for (const { model, outcome } of detail.attempts) {
        const attempts = within(this.#attempts, router, model, (labels) => ({
          labels,
          byOutcome: new Map<string, number>(),
        }))
        increase(attempts.byOutcome, outcome)
      }
      increase(this.#fallovers, router, Math.max(0, record.attempts - 1))
    }
  }
}

function countFamilies(counts: readonly Counts[]): Family[] {
  const counter = (
    name: string,
    help: string,
    samplesOf: (counts: Counts) => { labels: Labels; value: number }[],
  ): Family => ({ name, type: 'counter', help, samples: counts.flatMap(samplesOf) })

  return [
    counter('modelport_requests_total', 'Finished requests.', ({ labels, byStatus }) =>
      [...byStatus].map(([status, value]) => ({
        labels: { ...labels, status: String(status) },
        value,
      })),
    ),
    counter(
      'modelport_estimated_requests_total',
      'Requests whose tokens are estimates, because the provider reported none.',
      ({ labels, cell }) => [{ labels, value: cell.estimated }],
    ),
    counter(
      'modelport_tokens_total',
      'Tokens in classes that do not overlap.',
      ({ labels, cell }) => [
        { labels: { ...labels, class: 'input' }, value: cell.input },
        { labels: { ...labels, class: 'cache_read' }, value: cell.cacheRead },
        { labels: { ...labels, class: 'cache_write' }, value: cell.cacheWrite },
        { labels: { ...labels, class: 'output' }, value: cell.output },
        { labels: { ...labels, class: 'reasoning' }, value: cell.reasoning },
      ],
    ),
    counter('modelport_cost_usd_total', 'Cost in US dollars.', ({ labels, cell }) => [
      { labels, value: cell.costNanoUsd / 1e9 },
    ]),
    counter(
      'modelport_carbon_grams_total',
      'Grams of CO2e, the middle estimate.',
      ({ labels, cell }) => [{ labels, value: cell.carbonNanograms / 1e9 }],
    ),
  ]
}

type Nested<Value> = Map<string, Map<string, Value>>

function within<Value>(
  nested: Nested<Value>,
  router: string,
  model: string,
  create: (labels: { router: string; model: string }) => Value,
): Value {
  const models = nested.get(router) ?? new Map<string, Value>()
  const value = models.get(model) ?? create({ router, model })
  models.set(model, value)
  nested.set(router, models)
  return value
}

function valuesOf<Value>(nested: Nested<Value>): Value[] {
  return [...nested.values()].flatMap((models) => [...models.values()])
}

function increase<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
