/** A router's settings as the numbers a strategy is given. */
import type { Router } from '../../shared/entities.ts'
import type { RankParameters } from '../../shared/request-detail.ts'
import { defaultWeights } from '../../shared/routing-settings.ts'
import { strategyProfiles } from '../../shared/strategies.ts'
import type { RoutingPolicy } from './candidate.ts'

/** @param qualityPerUsd  what the pace of its budget makes a dollar count; 0 where none is set */
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
