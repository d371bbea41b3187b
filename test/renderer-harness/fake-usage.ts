/** Reports and searches of a scene's requests, summed without the service's code. */
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { ListedRequest, RequestFilter } from '../../src/shared/requests/search.ts'
import type {
  UsageFigures,
  UsageGroup,
  UsageReport,
  UsageReportQuery,
} from '../../src/shared/requests/usage.ts'

export function reportOf(requests: readonly RequestRecord[], query: UsageReportQuery): UsageReport {
  const { fromMs, toMs, bucketMs, offsetMs, group } = query
  const counted = requests.filter(
    (request) =>
      request.startedAtMs >= fromMs &&
      request.startedAtMs < toMs &&
      (query.routerId === undefined || request.routerId === query.routerId) &&
      (query.model === undefined || request.modelUsed === query.model),
  )
  const startOf = ({ startedAtMs }: RequestRecord) =>
    startedAtMs - ((startedAtMs + offsetMs) % bucketMs)
  const byStart = Map.groupBy(counted, startOf)
  return {
    total: figuresOf(counted),
    groups: groupsOf(counted, group).toSorted((a, b) => b.figures.requests - a.figures.requests),
    points: [...byStart]
      .toSorted(([left], [right]) => left - right)
      .map(([startMs, ofBucket]) => ({
        startMs,
        total: figuresOf(ofBucket),
        groups: Object.fromEntries(
          groupsOf(ofBucket, group).map(({ name, figures }) => [name, figures]),
        ),
      })),
  }
}

export function searched(
  requests: readonly RequestRecord[],
  { routerId, model, end }: RequestFilter,
): ListedRequest[] {
  return requests
    .filter(
      (request) =>
        (routerId === undefined || request.routerId === routerId) &&
        (model === undefined || request.modelUsed === model) &&
        (end === undefined || (end === 'answered') === request.status < 400),
    )
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
    .map((request) => ({ ...request, client: request.apiKeyId === null ? null : 'curl/8.5.0' }))
}

const groupNames: Record<UsageGroup, (request: RequestRecord) => string> = {
  none: () => '',
  router: ({ routerId }) => routerId,
  model: ({ modelUsed }) => modelUsed ?? '',
  provider: ({ modelUsed }) => modelUsed?.split(':')[0] ?? '',
  key: ({ apiKeyId }) => apiKeyId ?? '',
  tag: ({ tag }) => tag ?? '',
  agent: ({ executionId }) => executionId ?? '',
  conversation: () => '',
}

function groupsOf(requests: readonly RequestRecord[], group: UsageGroup): UsageReport['groups'] {
  const byName = Map.groupBy(requests, groupNames[group])
  return [...byName].map(([name, ofGroup]) => ({ name, figures: figuresOf(ofGroup) }))
}

function figuresOf(requests: readonly RequestRecord[]): UsageFigures {
  const count = (isCounted: (request: RequestRecord) => boolean) =>
    requests.filter(isCounted).length
  const total = (valueOf: (request: RequestRecord) => number) =>
    requests.reduce((sum, request) => sum + valueOf(request), 0)
  const carbonGrams = total((request) => request.carbonGrams)
  return {
    requests: requests.length,
    answered: count(({ status }) => status < 400),
    fallbacks: count(({ fallbackFrom }) => fallbackFrom !== null),
    limited: count(({ status }) => status === 429),
    refused: count(({ status }) => status >= 400 && status < 499 && status !== 429),
    aborted: count(({ status }) => status === 499),
    failed: count(({ status }) => status >= 500),
    estimated: 0,
    costUsd: total(({ costNanoUsd }) => costNanoUsd / 1e9),
    carbonGrams,
    carbonLowGrams: carbonGrams * 0.6,
    carbonHighGrams: carbonGrams * 1.8,
    tokens: {
      input: total(({ reportedPromptTokens }) => reportedPromptTokens ?? 0),
      cacheRead: 0,
      cacheWrite: 0,
      output: total(({ reportedCompletionTokens }) => reportedCompletionTokens ?? 0),
      reasoning: 0,
    },
    ...durationsOf(requests.filter(({ status }) => status < 400)),
  }
}

function durationsOf(
  answered: readonly RequestRecord[],
): Pick<UsageFigures, 'latencyMs' | 'firstTokenMs'> {
  const latencies = answered.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b)
  const firstTokens = answered
    .flatMap(({ firstTokenMs }) => firstTokenMs ?? [])
    .toSorted((a, b) => a - b)
  const max = latencies.at(-1)
  return {
    latencyMs:
      max === undefined
        ? null
        : {
            mean: latencies.reduce((sum, value) => sum + value, 0) / latencies.length,
            ...quantilesOf(latencies),
            max,
          },
    firstTokenMs: firstTokens.length === 0 ? null : quantilesOf(firstTokens),
  }
}

function quantilesOf(sorted: readonly number[]) {
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
