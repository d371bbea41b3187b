/** What the ledger's requests would have cost, taken and emitted under another strategy. */
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

/** Of all replayed requests together; latency and quality are means. */
export interface ReplayFigures<Figure> {
  costUsd: Figure
  latencyMs: Figure
  carbonGrams: Figure
  /** Expected, 0 to 1. */
  quality: Figure
}

/** Why a request of the period is not part of the comparison. */
export type ReplaySkip = 'failed' | 'pinned' | 'from_cache' | 'cascade' | 'not_recorded'

export interface ReplayReport {
  strategy: StrategyName
  /** Of the period and the router, replayed or not. */
  requests: number
  replayed: number
  skipped: Record<ReplaySkip, number>
  /** Those that would have gone to another model. */
  changed: number
  /** As it was. */
  actual: ReplayFigures<number>
  /** An estimate: the other model was not asked. */
  expected: ReplayFigures<Band>
  /** Requests per model, as it was and as it would have been. */
  models: { model: string; actual: number; expected: number }[]
  /** True where the period had more requests than are looked at; the newest are. */
  isCut: boolean
}
