import { z } from 'zod'

/** A day: what is older should be asked anew, also by those who like exact repetition. */
const longestCacheTtlSeconds = 86_400

/** How long an answer is given again, in seconds; null is off. */
export const cacheTtlSchema = z
  .int('a whole number of seconds')
  .min(1, 'a second at the least, or empty for off')
  .max(longestCacheTtlSeconds, `a day, ${longestCacheTtlSeconds} seconds, at the most`)
  .nullable()
  .default(null)
