/** How far the spending of a budget is ahead of an even rate. */
import type { Budget } from '../../../shared/routers/budget.ts'
import type { BudgetFigures, BudgetPeriod } from '../../storage/budget-store.ts'

/** An hour of a day, a day of a month. */
const leastShareOver = 0.04

/** Spending so far divided by the spending that an even rate allows, for the tighter of the budgets; null without one. */
export function paceOf(
  { day, month }: BudgetFigures,
  { budgetUsdPerDay, budgetUsdPerMonth }: Budget,
  nowMs: number,
): number | null {
  const paces = [
    ...(budgetUsdPerDay === null ? [] : [paceIn(budgetUsdPerDay, day, nowMs)]),
    ...(budgetUsdPerMonth === null ? [] : [paceIn(budgetUsdPerMonth, month, nowMs)]),
  ]
  return paces.length === 0 ? null : Math.max(...paces)
}

/** Pace of spending. In a new period the first hour or day counts as over; otherwise any spending would be ahead. */
function paceIn(
  usd: number,
  { startMs, endMs, spentNanoUsd }: BudgetPeriod,
  nowMs: number,
): number {
  const over = (nowMs - startMs) / (endMs - startMs)
  const allowed = usd * 1e9 * Math.min(1, Math.max(over, leastShareOver))
  return spentNanoUsd === 0 ? 0 : spentNanoUsd / allowed
}
