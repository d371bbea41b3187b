/** First-token hedging as a router has it set. */
import { z } from 'zod'

export const hedgeSchema = z.strictObject({
  /** How long the first model may show nothing; `auto` is its own recent 95th percentile, 3 s at the least. */
  afterMs: z.union([z.literal('auto'), z.int().min(100).max(600_000)]),
  /** What hedges may add to what the router spent in the last 24 hours. */
  maxExtraPercent: z.number().min(0).max(100).default(5),
})
export type HedgeSetting = z.output<typeof hedgeSchema>
