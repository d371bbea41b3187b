/** The hedging settings of a router. */
import { z } from 'zod'

export const hedgeSchema = z.strictObject({
  /** How long to wait for the first token; `auto` is the recent 95th percentile, at least 3 s. */
  afterMs: z.union(
    [z.literal('auto'), z.int().min(100).max(600_000)],
    'Enter auto, or 0.1 to 600 seconds',
  ),
  /** Limit of the extra cost, in percent of the spending in the last 24 hours. */
  maxExtraPercent: z
    .number('Enter a number from 0 to 100')
    .min(0, 'Enter a number from 0 to 100')
    .max(100, 'Enter a number from 0 to 100')
    .default(5),
})
export type HedgeSetting = z.output<typeof hedgeSchema>
