/** Budgets of routers and keys, and the rate limit of a router. */
import { z } from 'zod'

/** Sums of this remain exact integers in nano-dollars. */
const greatestBudgetUsd = 1_000_000

/** US dollars with nano-dollar precision. 0 allows only free models. */
const budgetUsdSchema = z
  .number('Enter an amount in US dollars, such as 2.50')
  .min(0, 'Enter 0 or more')
  .max(greatestBudgetUsd, 'Enter 1,000,000 US dollars or less')
  .refine((usd) => Math.round(usd * 1e9) / 1e9 === usd, 'Use nine decimals at most')
  .nullable()
  .default(null)

/** Budgets of a router or a key; null for none. Days and months are in UTC. */
export const budgetFields = {
  budgetUsdPerDay: budgetUsdSchema,
  budgetUsdPerMonth: budgetUsdSchema,
}

export interface Budget {
  budgetUsdPerDay: number | null
  budgetUsdPerMonth: number | null
}

/** 1,000 per second; one computer does not need more. */
const greatestRequestsPerMinute = 60_000

/** Maximum requests of a router in any 60 seconds; null for no limit. */
export const requestsPerMinuteSchema = z
  .int('Enter a whole number')
  .min(1, 'Enter 1 or more, or leave empty for no limit')
  .max(greatestRequestsPerMinute, `Enter ${greatestRequestsPerMinute} or less`)
  .nullable()
  .default(null)

/** What a refusal calls the budget that is used up. */
export function budgetName(owner: 'router' | 'key', amount: string, per: 'day' | 'month'): string {
  return `the ${owner}’s budget of ${amount} a ${per}`
}

/** The budget of a router that a refusal is about, in US dollars; null when it is about something else. */
export function namedRouterBudget(message: string): { usd: number; per: 'day' | 'month' } | null {
  const found = /the router’s budget of \$(\S+) a (day|month)/i.exec(message)
  if (!found?.[1]) return null
  return { usd: Number(found[1].replaceAll(',', '')), per: found[2] === 'day' ? 'day' : 'month' }
}
