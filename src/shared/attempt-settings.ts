/** What a router has to say on how its models are asked. */
import { hedgeSchema } from './hedge.ts'
import { timeLimitsSchema } from './time-limits.ts'

export const attemptSettings = {
  timeLimits: timeLimitsSchema.default({}),
  /** Null: no second model is asked while the first shows nothing. */
  hedge: hedgeSchema.nullable().default(null),
}
