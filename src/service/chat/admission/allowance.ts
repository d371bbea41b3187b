/** The amount that an agent's execution may spend, in addition to the budgets of its router and key. */
export interface Allowance {
  /** Name in error messages: `the budget of agent:news`. */
  readonly name: string
  readonly limitNanoUsd: number
  spentNanoUsd: number
  /** Reserved for requests in progress. */
  reservedNanoUsd: number
}
