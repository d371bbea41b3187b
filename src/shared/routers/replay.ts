/** The cost, latency and emissions that the ledger's requests would have had with other settings. */
import { z } from 'zod'
import { modelIdSchema } from '../entities.ts'
import { routingSettingsSchema } from './routing-settings.ts'
import { strategyNames, type StrategyName } from './strategy-names.ts'

/** Most requests that one replay reads, which takes about two seconds. */
export const mostReplayedRequests = 100_000

export const replayQuerySchema = z.strictObject({
  routerId: z.string(),
  strategy: z.enum(strategyNames),
  sinceMs: z.int().default(0),
})
export type ReplayQuery = z.input<typeof replayQuerySchema>

/** The settings of a router that decide which model answers, saved or not. */
const routerDraftSchema = z.strictObject({
  strategy: z.enum(strategyNames),
  /** Models in order of preference. */
  models: z.array(modelIdSchema).min(1, 'Choose at least one model'),
  routing: routingSettingsSchema,
})

/** Replays the newest requests of a router under a draft of its settings. */
export const draftReplayQuerySchema = z.strictObject({
  routerId: z.string(),
  draft: routerDraftSchema,
  sinceMs: z.int().default(0),
  limit: z.int().min(1).max(mostReplayedRequests).default(mostReplayedRequests),
})
export type DraftReplayQuery = z.input<typeof draftReplayQuerySchema>

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

/** Reason for which a request of the period is left out of the comparison. */
export type ReplaySkip =
  | 'failed'
  | 'pinned'
  | 'from_cache'
  | 'cascade'
  | 'embeddings'
  | 'not_recorded'
  /** No model of the draft could take it. */
  | 'no_model'

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
  /** The 95th percentile of the replayed requests' latency; 0 without any. */
  latencyP95Ms: { actual: number; expected: number }
  /** Requests per model, as recorded and as replayed. */
  models: { model: string; actual: number; expected: number }[]
  /** True when the period had more requests than the limit; only the newest are replayed. */
  isCut: boolean
}
