/** Turns a router's settings into the parameters of a strategy. */
import type { Router } from '../../shared/entities.ts'
import type { LossAccount, RankParameters } from '../../shared/requests/detail.ts'
import { defaultWeights } from '../../shared/routers/routing-settings.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import type { RoutingPolicy } from './candidate.ts'
import { openedAccount } from './loss-account.ts'

/** The present price of quality. */
export interface SpendingState {
  /** Quality that each dollar of cost takes away while the budget is paced; otherwise 0. */
  qualityPerUsd: number
  /** Account of the router; it has no effect on strategies without one. */
  account: LossAccount
}

/** Spending before a router's first request, without a budget. */
export const firstSpending: SpendingState = { qualityPerUsd: 0, account: openedAccount }

type StrategyChoice = Pick<Router, 'strategy' | 'routing'>

export function policyOf(
  router: StrategyChoice,
  state: SpendingState = firstSpending,
): RoutingPolicy {
  const { strategy, routing } = router
  return { ...routing, strategy, parameters: parametersOf(router, state) }
}

export function parametersOf(
  { strategy, routing }: StrategyChoice,
  { qualityPerUsd, account }: SpendingState = firstSpending,
): RankParameters {
  const { spendsAccount, qualityTolerance } = strategyProfiles[strategy]
  const isByAccount = spendsAccount && routing.qualityTolerance === null
  return {
    qualityTolerance: routing.qualityTolerance ?? qualityTolerance ?? 0,
    limitEachPrompt: spendsAccount && routing.limitEachPrompt,
    account: isByAccount ? account : null,
    weights: routing.weights ?? defaultWeights,
    latencyPercentile: routing.latencyPercentile,
    qualityPerUsd,
  }
}
