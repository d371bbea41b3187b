/** What a router or a key may cost, and how fast a router may be asked. */
import { z } from 'zod'

/** In nano-dollars still an exact integer, and sums of it, too. */
const greatestBudgetUsd = 1_000_000

/** US dollars, to the nano-dollar they are counted in; 0 leaves only models that cost nothing. */
const budgetUsdSchema = z
  .number('an amount of US dollars, such as 2.50')
  .min(0, 'an amount from 0 up')
  .max(greatestBudgetUsd, 'a million US dollars at the most')
  .refine((usd) => Math.round(usd * 1e9) / 1e9 === usd, 'nine decimals at the most')
  .nullable()
  .default(null)

/** What a router or a key may cost; null is no budget. Days and months are those of UTC. */
export const budgetFields = {
  budgetUsdPerDay: budgetUsdSchema,
  budgetUsdPerMonth: budgetUsdSchema,
}

export interface Budget {
  budgetUsdPerDay: number | null
  budgetUsdPerMonth: number | null
}

/** A thousand a second: more is no limit for one computer. */
const greatestRequestsPerMinute = 60_000

/** Of a router, in any 60 seconds; null is no such limit. */
export const requestsPerMinuteSchema = z
  .int('a whole number')
  .min(1, 'at least one, or empty for no limit')
  .max(greatestRequestsPerMinute, `${greatestRequestsPerMinute} at the most`)
  .nullable()
  .default(null)
