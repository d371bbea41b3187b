/** Totals of this process's requests since counting started, by router and model. */
import type { RequestRecord } from '../../../shared/entities.ts'
import type { AttemptRecord, RequestDetail } from '../../../shared/requests/detail.ts'
import { addRequest, emptyCell, type UsageCell } from '../../storage/usage-cell.ts'
import { writeFamily, writeHistograms, type Family, type Labels } from './exposition.ts'

/** Totals of one router and model. A request that no model answered has no model. */
interface Counts {
  labels: { router: string; model: string }
  cell: UsageCell
  byStatus: Map<number, number>
  /** Attempts with this model, by outcome. */
  byOutcome: Map<string, number>
}

/** Requests are counted in batches of this size, or when metrics are read. */
const countedAtOnce = 64

export class RequestMetrics {
  readonly #uncounted: { record: RequestRecord; detail: RequestDetail }[] = []
  readonly #counts = new Map<string, Map<string, Counts>>()
  readonly #fallovers = new Map<string, number>()

  add(record: RequestRecord, detail: RequestDetail): void {
    this.#uncounted.push({ record, detail })
    if (this.#uncounted.length >= countedAtOnce) this.#count()
  }

  /** @param isSeen  whether the caller may see a router */
  text(isSeen: (routerId: string) => boolean): string {
    this.#count()
    const seen = [...this.#counts].flatMap(([router, models]) =>
      isSeen(router) ? [...models.values()] : [],
    )
    const counts = seen.filter(({ cell }) => cell.requests > 0)
    const fallovers = [...this.#fallovers].filter(([router]) => isSeen(router))
    return [
      ...countFamilies(counts).map(writeFamily),
      writeFamily({
        name: 'modelport_attempts_total',
        type: 'counter',
        help: 'Upstream attempts by outcome: answered, accepted or not in a cascade, aborted by the caller, or the kind of failure.',
        samples: seen.flatMap(({ labels, byOutcome }) =>
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
      const { routerId: router, modelUsed, status } = record
      const counts = this.#countsOf(router, modelUsed ?? '')
      addRequest(counts.cell, record, detail)
      increase(counts.byStatus, status)
      for (const { model, outcome } of detail.attempts)
        increase(this.#countsOf(router, model).byOutcome, outcome)
      increase(this.#fallovers, router, Math.max(0, falling(detail.attempts) - 1))
    }
  }

  #countsOf(router: string, model: string): Counts {
    const models = this.#counts.get(router) ?? new Map<string, Counts>()
    this.#counts.set(router, models)
    const known = models.get(model)
    if (known) return known
    const labels = { router, model }
    const counts = { labels, cell: emptyCell(), byStatus: new Map(), byOutcome: new Map() }
    models.set(model, counts)
    return counts
  }
}

/** Attempts outside a cascade: trying the next tier is not a fallback. */
function falling(attempts: readonly AttemptRecord[]): number {
  return attempts.filter(({ outcome }) => outcome !== 'accepted' && outcome !== 'not_accepted')
    .length
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

function increase<Key>(counts: Map<Key, number>, key: Key, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
