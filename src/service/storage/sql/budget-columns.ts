/** The two columns that store the budgets of routers and keys. */
import type { Budget } from '../../../shared/routers/budget.ts'
import { toNanoUsd, toUsd } from './money.ts'

export interface BudgetRow {
  budgetDayNanoUsd: number | null
  budgetMonthNanoUsd: number | null
}

/** The columns for a SELECT list, under their field names. */
export const budgetColumns =
  'budget_day_nano_usd AS "budgetDayNanoUsd", budget_month_nano_usd AS "budgetMonthNanoUsd"'

export function toBudgetRow({ budgetUsdPerDay, budgetUsdPerMonth }: Budget): BudgetRow {
  return {
    budgetDayNanoUsd: budgetUsdPerDay === null ? null : toNanoUsd(budgetUsdPerDay),
    budgetMonthNanoUsd: budgetUsdPerMonth === null ? null : toNanoUsd(budgetUsdPerMonth),
  }
}

export function toBudget({ budgetDayNanoUsd, budgetMonthNanoUsd }: BudgetRow): Budget {
  return {
    budgetUsdPerDay: budgetDayNanoUsd === null ? null : toUsd(budgetDayNanoUsd),
    budgetUsdPerMonth: budgetMonthNanoUsd === null ? null : toUsd(budgetMonthNanoUsd),
  }
}
