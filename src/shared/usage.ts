/** Sums of requests over time, for charts and tables. */

/** One point of a router's charts: the requests of one time bucket. */
export interface UsageBucket {
  startMs: number
  requests: number
  errors: number
  costUsd: number
  /** Mean and maximum latency of the answered requests; null when there were none. */
  latencyMsMean: number | null
  latencyMsMax: number | null
  carbonGrams: number
  /** Requests by the model that answered. */
  models: Record<string, number>
}

export interface UsageQuery {
  routerId?: string | undefined
  sinceMs: number
  bucketMs: number
}
