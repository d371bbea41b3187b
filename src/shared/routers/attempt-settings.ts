/** A router's settings for its attempts. */
import { hedgeSchema } from './hedge.ts'
import { timeLimitsSchema } from './time-limits.ts'

export const attemptSettings = {
  timeLimits: timeLimitsSchema.default({}),
  /** Null: no hedging, so a second model never receives the request while the first is silent. */
  hedge: hedgeSchema.nullable().default(null),
}
