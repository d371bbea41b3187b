/** Sums of requests over time, for charts and tables. */
import { z } from 'zod'
import type { TokenClasses } from './detail.ts'

/**
 * Groupings of a report; `none` has one group. `agent` has only the steps of agents and `conversation` only the answers of the
 * chat, of which the ledger still has the rows; the totals count all requests.
 */
export const usageGroups = [
  'none',
  'router',
  'model',
  'provider',
  'key',
  'tag',
  'agent',
  'conversation',
] as const
export type UsageGroup = (typeof usageGroups)[number]

/** Selects the requests that count. An empty string selects those without a model, a key or a tag. */
const usageFilterSchema = z.strictObject({
  routerId: z.string().min(1).optional(),
  model: z.string().optional(),
  providerId: z.string().min(1).optional(),
  apiKeyId: z.string().optional(),
  tag: z.string().optional(),
})

const minuteMs = 60_000

/** Most points of a report, so that a wrong query cannot fill the memory. */
const mostPoints = 2_000

export const usageReportQuerySchema = z
  .strictObject({
    ...usageFilterSchema.shape,
    fromMs: z.int().min(0),
    /** Requests that began before it count. */
    toMs: z.int().min(1),
    /** Whole minutes, the shortest cells of the ledger: other lengths would read every row. */
    bucketMs: z.int().positive().multipleOf(minuteMs, 'Choose a whole number of minutes'),
    /** Shifts the starts of the buckets, for days in the user's time zone: its offset from UTC, east positive. */
    offsetMs: z.int().min(-86_400_000).max(86_400_000).default(0),
    group: z.enum(usageGroups).default('none'),
  })
  .refine(({ fromMs, toMs }) => fromMs < toMs, {
    path: ['toMs'],
    message: 'Choose an end after the start',
  })
  .refine(({ fromMs, toMs, bucketMs }) => (toMs - fromMs) / bucketMs <= mostPoints, {
    path: ['bucketMs'],
    message: `Choose longer buckets: a report has at most ${mostPoints} points`,
  })
export type UsageReportQuery = z.output<typeof usageReportQuerySchema>

/** Sums of some requests. Durations are of answered requests only; null when there were none. */
export interface UsageFigures {
  requests: number
  /** Requests with a status below 400. */
  answered: number
  /** Answered requests that another model answered after the first one failed. */
  fallbacks: number
  /**
   * Errors: over a limit (429), refused otherwise (400 to 498), aborted by the caller (499), failed (500 or higher).
   */
  limited: number
  refused: number
  aborted: number
  failed: number
  /** Requests whose tokens are estimates, because the provider reported none. */
  estimated: number
  costUsd: number
  carbonGrams: number
  /** The bounds around `carbonGrams`. */
  carbonLowGrams: number
  carbonHighGrams: number
  tokens: { [Name in keyof TokenClasses]: number }
  /** `mean` and `max` are exact; the quantiles are at most 4.4 % off. */
  latencyMs: { mean: number; p50: number; p95: number; p99: number; max: number } | null
  /** Time to the first token of a stream. */
  firstTokenMs: { p50: number; p95: number; p99: number } | null
}

export interface UsagePoint {
  startMs: number
  total: UsageFigures
  /** Figures by router id, model, provider, key id, tag or agent; empty strings as in the filter. */
  groups: Record<string, UsageFigures>
}

export interface UsageReport {
  total: UsageFigures
  /** The most requests first. */
  groups: { name: string; figures: UsageFigures }[]
  /** Points, oldest first; buckets without requests are left out. */
  points: UsagePoint[]
}

/** The requests of a router that count against its daily limit, since midnight UTC. */
export interface DailyUse {
  routerId: string
  requests: number
}
