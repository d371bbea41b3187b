/** A router's rate limit and budgets as its form holds them. Empty means no limit. */
import type { RouterInput } from '../../../../shared/entities.ts'
import { readBudget, toBudgetTexts, type BudgetTexts } from '../../components/budget-fields.tsx'
import { readNumber } from '../../components/read-number.ts'

export interface LimitTexts extends BudgetTexts {
  requestsPerMinute: string
}

type Limits = Pick<RouterInput, 'requestsPerMinute' | 'budgetUsdPerDay' | 'budgetUsdPerMonth'>

export function toLimitTexts({ requestsPerMinute, ...budget }: Limits): LimitTexts {
  return { requestsPerMinute: String(requestsPerMinute ?? ''), ...toBudgetTexts(budget) }
}

export function readLimits({ requestsPerMinute, ...budget }: LimitTexts): Limits {
  return { requestsPerMinute: readNumber(requestsPerMinute), ...readBudget(budget) }
}
