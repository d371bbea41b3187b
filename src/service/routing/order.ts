/** Ranks the candidates that can answer. A decision and its replay both use this function. */
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import type { RankParameters } from '../../shared/requests/detail.ts'
import { strategies } from './strategies/index.ts'
import type { Contender } from './strategies/strategy.ts'

/** Best first; every contender is returned once. */
export function order<One extends Contender>(
  contenders: readonly One[],
  strategy: StrategyName,
  parameters: RankParameters,
): One[] {
  // Most routers have one model.
  if (contenders.length < 2) return [...contenders]
  const { rank } = strategies[strategy]
  // An account has its own price of quality, and takes the higher one.
  if (parameters.qualityPerUsd === 0 || parameters.account !== null) {
    return rank(contenders, parameters)
  }
  const paced = contenders.map((contender, index) => ({
    ...contender,
    index,
    estimate: { ...contender.estimate, quality: pacedQuality(contender, parameters) },
  }))
  return rank(paced, parameters).flatMap(({ index }) => contenders[index] ?? [])
}

/** Quality, lowered by every dollar of cost while spending runs ahead of the budget's pace. */
function pacedQuality({ estimate }: Contender, { qualityPerUsd }: RankParameters): number {
  const paced = estimate.quality - (qualityPerUsd * estimate.costNanoUsd) / 1e9
  return Math.round(Math.max(paced, 0) * 1e4) / 1e4
}
