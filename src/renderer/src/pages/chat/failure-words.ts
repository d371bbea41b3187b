import { namedRouterBudget, type Budget } from '../../../../shared/routers/budget.ts'
import { formatRelativeTime } from '../../../../shared/strings/format.ts'

const time = /\bat (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g

/** The error of an answer with its times as people say them: `It resets in 7 hours.` */
export function failureWords(error: string, nowMs: number): string {
  return error.replaceAll(time, (_at, iso: string) => formatRelativeTime(Date.parse(iso), nowMs))
}

/** Whether the same request would still be refused: the router has this budget, and it has not reset. */
export function isOverBudget(error: string, budget: Budget, nowMs: number): boolean {
  const named = namedRouterBudget(error)
  const [, iso = ''] = [...error.matchAll(time)].at(-1) ?? []
  const isOver = Date.parse(iso) <= nowMs
  if (named === null || isOver) return false
  const usd = budget[budgetFieldOf[named.per]]
  // The error has few digits.
  return usd !== null && Math.abs(usd - named.usd) <= usd * 0.01
}

const budgetFieldOf = { day: 'budgetUsdPerDay', month: 'budgetUsdPerMonth' } as const
