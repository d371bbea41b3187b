/** Turns a router's settings into the parameters of a strategy. */
import type { Router } from '../../shared/entities.ts'
import type { RankParameters } from '../../shared/request-detail.ts'
import { defaultWeights } from '../../shared/routing-settings.ts'
import { strategyProfiles } from '../../shared/strategies.ts'
import type { RoutingPolicy } from './candidate.ts'

/**
 * @param qualityPerUsd  quality that each dollar of cost takes away while the budget is paced; otherwise 0
 */
export function policyOf(
  { strategy, routing }: Pick<Router, 'strategy' | 'routing'>,
  qualityPerUsd: number,
): RoutingPolicy {
  return { ...routing, strategy, parameters: parametersOf({ strategy, routing }, qualityPerUsd) }
}

export function parametersOf(
  { strategy, routing }: Pick<Router, 'strategy' | 'routing'>,
  qualityPerUsd: number,
): RankParameters {
  return {
    qualityTolerance: routing.qualityTolerance ?? strategyProfiles[strategy].qualityTolerance ?? 0,
    weights: routing.weights ?? defaultWeights,
    latencyPercentile: routing.latencyPercentile,
    qualityPerUsd,
  }
}
