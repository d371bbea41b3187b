/** A budget of a router or a key that reached a level of its period. */

/** Percent of the budget. */
export const budgetLevels = [50, 80, 100] as const
export type BudgetLevel = (typeof budgetLevels)[number]

export interface BudgetAlert {
  /** The same for every delivery of this alert. */
  id: string
  owner: { kind: 'router' | 'key'; id: string; name: string }
  level: BudgetLevel
  usedUsd: number
  limitUsd: number
  /** A UTC day or month, in Unix milliseconds. */
  period: { per: 'day' | 'month'; startMs: number; endMs: number }
  createdAtMs: number
}
