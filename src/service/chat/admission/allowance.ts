/** Money that an agent's execution may spend, beside the budgets of its router and key. */
export interface Allowance {
  /** As an error message names it: `the budget of agent:news`. */
  readonly name: string
  readonly limitNanoUsd: number
  spentNanoUsd: number
  /** Set aside for requests under way. */
  reservedNanoUsd: number
}
