/**
 * The figures of `GET /metrics`. Counting and event-loop sampling start with the first key that may read them,
 * so installations without such a key have no cost.
 */
import type { RequestRecord, Router } from '../../../shared/entities.ts'
import type { RefusalKind } from '../../../shared/requests/refusal.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import type { Standing } from '../../chat/attempts/breaker.ts'
import { writeFamily, type Labels } from './exposition.ts'
import { writeNode, type NodeSources } from './node-metrics.ts'
import { ProcessMetrics } from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'

export interface MetricsSources extends NodeSources {
  routers(): Iterable<Router>
  /** Whether a key that may read the metrics exists. */
  isWanted(): boolean
  /** The day's remaining requests, as far as this process knows. */
  remainingRequests(): Iterable<{ routerId: string; remaining: number }>
  deployments(): Iterable<{ modelId: string; kind: Standing['kind'] }>
  openRequests(): number
  /** Refusals since the start, by kind. */
  refusals(): Iterable<{ kind: RefusalKind; count: number }>
  /** End of the endpoint's certificate, in Unix milliseconds. */
  certificateEndMs(): number
  now(): number
}

/** Whether a key may see a router. */
export type IsSeen = (routerId: string) => boolean

const deploymentStates = [
  'ready',
  'open',
  'probing',
  'cooling',
] as const satisfies Standing['kind'][]

export class Metrics {
  readonly #sources: MetricsSources
  #counting: { requests: RequestMetrics; process: ProcessMetrics } | null = null
  #pendingRows = 0

  constructor(sources: MetricsSources) {
    this.#sources = sources
    this.keysChanged()
  }

  /** Starts counting with the first key that may read metrics; never stops. */
  keysChanged(): void {
    if (this.#counting !== null || !this.#sources.isWanted()) return
    this.#counting = {
      requests: new RequestMetrics(),
      process: new ProcessMetrics(this.#sources.now()),
    }
  }

  /** A request ended; its row is handed to the ledger. */
  add(record: RequestRecord, detail: RequestDetail): void {
    this.#pendingRows += 1
    this.#counting?.requests.add(record, detail)
  }

  /** Called when a row is durable, or was discarded. */
  rowSettled(): void {
    this.#pendingRows -= 1
  }

  /** The response body, in Prometheus' text format. */
  text(isSeen: IsSeen): string {
    const { requests, process } = this.#counting ?? {}
    return [
      requests?.text(isSeen) ?? '',
      this.#routersText(isSeen),
      writeRefusals(this.#sources.refusals(), isSeen),
      this.#serviceText(),
      writeNode(this.#sources),
      process?.text() ?? '',
    ].join('')
  }

  close(): void {
    this.#counting?.process.close()
  }

  #routersText(isSeen: IsSeen): string {
    const routers = [...this.#sources.routers()].filter(({ id }) => isSeen(id))
    const remaining = [...this.#sources.remainingRequests()].filter(({ routerId }) =>
      isSeen(routerId),
    )
    return [
      writeFamily({
        name: 'modelport_router_info',
        type: 'gauge',
        help: 'Always 1. Maps router ids to names.',
        samples: routers.map(({ id, name, strategy }) => ({
          labels: { router: id, name, strategy },
          value: 1,
        })),
      }),
      writeFamily({
        name: 'modelport_quota_remaining_requests',
        type: 'gauge',
        help: 'Requests left today (UTC), for limited routers that were used today.',
        samples: remaining.map(({ routerId, remaining: value }) => ({
          labels: { router: routerId },
          value,
        })),
      }),
    ].join('')
  }

  #serviceText(): string {
    return [
      writeFamily({
        name: 'modelport_deployment_state',
        type: 'gauge',
        help: '1 for the state a model is in: ready, or skipped after failures (open, probing, cooling).',
        samples: [...this.#sources.deployments()].flatMap(({ modelId, kind }) =>
          deploymentStates.map((state) => ({
            labels: { model: modelId, state },
            value: Number(state === kind),
          })),
        ),
      }),
      writeFamily({
        name: 'modelport_certificate_end_time_seconds',
        type: 'gauge',
        help: "Unix time at which the endpoint's certificate ends.",
        samples: [{ value: this.#sources.certificateEndMs() / 1000 }],
      }),
      writeFamily({
        name: 'modelport_open_requests',
        type: 'gauge',
        help: 'Requests over HTTP that are being answered.',
        samples: [{ value: this.#sources.openRequests() }],
      }),
      writeFamily({
        name: 'modelport_ledger_pending_rows',
        type: 'gauge',
        help: 'Finished requests that are not stored yet.',
        samples: [{ value: this.#pendingRows }],
      }),
    ].join('')
  }
}

/** Writes refusals by router, code and door: a key has its own count in the window and on the command line. */
function writeRefusals(refusals: ReturnType<MetricsSources['refusals']>, isSeen: IsSeen): string {
  const samples = new Map<string, { labels: Labels; value: number }>()
  for (const { kind, count } of refusals) {
    const { routerId, code, door } = kind
    if (routerId !== null && !isSeen(routerId)) continue
    const labels = { router: routerId ?? '', code, door }
    const name = Object.values(labels).join('\n')
    const value = (samples.get(name)?.value ?? 0) + count
    samples.set(name, { labels, value })
  }
  return writeFamily({
    name: 'modelport_refusals_total',
    type: 'counter',
    help: 'Requests refused since the start, by error code and door. The router is empty if it does not exist.',
    samples: [...samples.values()],
  })
}
