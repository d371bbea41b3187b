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
  const paced = pacedContenders(contenders, parameters)
  const ranked = strategies[strategy].rank(paced, parameters)
  if (paced === contenders) return ranked
  return ranked.flatMap((one) => contenders[paced.indexOf(one)] ?? [])
}

/**
 * The contenders as the strategy compares them: while spending runs ahead of the budget's pace, every dollar of cost
 * lowers the quality, also below 0, so that the most expensive model stays the worst. The same ones without pacing.
 */
export function pacedContenders<One extends Contender>(
  contenders: readonly One[],
  { qualityPerUsd, account }: RankParameters,
): readonly One[] {
  // An account has its own price of quality, and takes the higher one.
  if (qualityPerUsd === 0 || account !== null) return contenders
  return contenders.map((contender) => {
    const { quality, costNanoUsd } = contender.estimate
    const paced = Math.round((quality - (qualityPerUsd * costNanoUsd) / 1e9) * 1e4) / 1e4
    return { ...contender, estimate: { ...contender.estimate, quality: paced } }
  })
}
