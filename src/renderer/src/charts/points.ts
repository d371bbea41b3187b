import type { RequestRecord } from '../../../shared/entities.ts'
import type { UsageBucket } from '../../../shared/usage.ts'
import type { RouterUsage } from '../stores/usage.ts'

/** One point of a router's charts: a single answer, or the answers of one time bucket. */
export interface ChartPoint {
  atMs: number
  /** The mean per answer when the point covers several answers; null when unknown. */
  costUsd: number | null
  latencyMs: number | null
  carbonGrams: number | null
  /** Answers per model. */
  models: Readonly<Record<string, number>>
}

export interface ChartPoints {
  points: readonly ChartPoint[]
  answers: number
  /** Requests without an answer. They are not points. */
  failures: number
  /** The length of a bucket; null when each point is one answer. */
  bucketMs: number | null
}

/** The points of all four charts of one router, oldest first. */
export function chartPoints(usage: RouterUsage): ChartPoints {
  if (usage.kind === 'requests') {
    const points = usage.requests.flatMap(pointOfRequest)
    return {
      points,
      answers: points.length,
      failures: usage.requests.length - points.length,
      bucketMs: null,
    }
  }
  if (usage.kind === 'buckets') {
    return {
      points: usage.buckets.flatMap(pointOfBucket),
      answers: usage.buckets.reduce((sum, { requests, errors }) => sum + requests - errors, 0),
      failures: usage.buckets.reduce((sum, { errors }) => sum + errors, 0),
      bucketMs: usage.bucketMs,
    }
  }
  return { points: [], answers: 0, failures: 0, bucketMs: null }
}

function pointOfRequest(request: RequestRecord): ChartPoint[] {
  if (request.errorCode !== null || request.modelUsed === null) return []
  return [
    {
      atMs: request.startedAtMs,
      costUsd: request.costNanoUsd / 1e9,
      latencyMs: request.latencyMs,
      carbonGrams: request.carbonGrams,
      models: { [request.modelUsed]: 1 },
    },
  ]
}

function pointOfBucket(bucket: UsageBucket): ChartPoint[] {
  const answers = bucket.requests - bucket.errors
  if (answers < 1) return []
  return [
    {
      atMs: bucket.startMs,
      costUsd: bucket.costUsd / answers,
      latencyMs: bucket.latencyMsMean,
      carbonGrams: bucket.carbonGrams / answers,
      models: bucket.models,
    },
  ]
}

const shortestSpanMs = 1000

/** The time span of all four charts in ms: the points plus a margin, at least one second. */
export function timeSpan(points: readonly ChartPoint[], bucketMs: number | null): [number, number] {
  const first = points[0]?.atMs ?? 0
  const last = (points.at(-1)?.atMs ?? 0) + (bucketMs ?? 0)
  const spanMs = Math.max(last - first, shortestSpanMs)
  const middle = (first + last) / 2
  return [middle - spanMs * 0.54, middle + spanMs * 0.54]
}
