/** The cost, latency and emissions that the ledger's requests would have had with another strategy. */
import { z } from 'zod'
import { strategyNames, type StrategyName } from './strategies.ts'

export const replayQuerySchema = z.strictObject({
  routerId: z.string(),
  strategy: z.enum(strategyNames),
  sinceMs: z.int().default(0),
})
export type ReplayQuery = z.input<typeof replayQuerySchema>

/** The 80 % range of an estimate. */
export interface Band {
  low: number
  mid: number
  high: number
}

/** Sums over all replayed requests; latency and quality are means. */
export interface ReplayFigures<Figure> {
  costUsd: Figure
  latencyMs: Figure
  carbonGrams: Figure
  /** Expected, 0 to 1. */
  quality: Figure
}

/** Why a request of the period is left out of the comparison. */
export type ReplaySkip =
  | 'failed'
  | 'pinned'
  | 'from_cache'
  | 'cascade'
  | 'embeddings'
  | 'not_recorded'

export interface ReplayReport {
  strategy: StrategyName
  /** The requests of the period and the router, replayed or not. */
  requests: number
  replayed: number
  skipped: Record<ReplaySkip, number>
  /** The requests that would have gone to another model. */
  changed: number
  /** The recorded figures. */
  actual: ReplayFigures<number>
  /** Estimated figures, because the other model did not receive the request. */
  expected: ReplayFigures<Band>
  /** Requests per model, as recorded and as replayed. */
  models: { model: string; actual: number; expected: number }[]
  /** True when the period had more requests than the limit; only the newest are replayed. */
  isCut: boolean
}
