/** Efforts of reasoning and the budgets of tokens that stand for them, where a model or a form has only one of both. */

/** Reasoning efforts, from least to most. */
export const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof efforts)[number]

/** Tokens. */
export const budgetOf: Readonly<Record<Effort, number>> = {
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
  max: 48_000,
}

/** The highest effort whose budget is not above this one. */
export function effortFor(budgetTokens: number): Effort {
  return efforts.findLast((effort) => budgetOf[effort] <= budgetTokens) ?? 'low'
}
