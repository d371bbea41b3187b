/** First-token hedging as a router has it set. */
import { z } from 'zod'

export const hedgeSchema = z.strictObject({
  /** How long the first model may show nothing; `auto` is its own recent 95th percentile, 3 s at the least. */
  afterMs: z.union(
    [z.literal('auto'), z.int().min(100).max(600_000)],
    'auto, or a tenth of a second to ten minutes',
  ),
  /** What hedges may add to what the router spent in the last 24 hours. */
  maxExtraPercent: z
    .number('a number is needed')
    .min(0, '0 at the least')
    .max(100, '100 at the most')
    .default(5),
})
export type HedgeSetting = z.output<typeof hedgeSchema>
