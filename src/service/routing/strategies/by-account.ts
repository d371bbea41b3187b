/**
 * Chooses the least quality for its cost, while an account of allowed loss sets the price of quality
 * (`loss-account.ts`).
 */
import { qualityPoints } from '../reason-words.ts'
import { formatUsd } from '../../../shared/strings/format.ts'
import type { RankParameters } from '../../../shared/requests/detail.ts'
import { isAmongGood, toleranceAmong } from '../good-enough.ts'
import { qualityBand, spendingAmong, type Spending } from '../loss-account.ts'
import { byKey } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** Switching models loses the prompt cache, which the estimate counts, and the tone, which it does not. */
export const nearShare = 0.15

const usdOf = ({ estimate }: Contender) => estimate.costNanoUsd / 1e9

export const byAccount: Strategy = {
  rank(contenders, parameters) {
    const { totalOf } = spendingAmong(contenders, parameters)
    const isAllowed = allowedAmong(contenders, parameters)
    return [
      ...contenders.filter(isAllowed).toSorted(byKey(totalOf)),
      ...contenders
        .filter((one) => !isAllowed(one))
        .toSorted(byKey(({ estimate }) => -estimate.quality)),
    ]
  },
  isNear(kept, ranked, parameters) {
    const { totalOf, qualityPerUsd } = spendingAmong(ranked, parameters)
    const [first = kept] = ranked
    const near = Math.max(qualityBand, nearShare * qualityPerUsd * usdOf(first))
    return allowedAmong(ranked, parameters)(kept) && totalOf(kept) - totalOf(first) <= near
  },
  why(ranked, parameters) {
    const { best, lossOf } = spendingAmong(ranked, parameters)
    const [first] = ranked
    if (!first || !best || first === best) return whyBest(ranked)
    const saved = formatUsd(usdOf(best) - usdOf(first))
    return `Saves ${saved} against ${best.model}, the model expected to be best, for up to ${qualityPoints(lossOf(first))} less expected quality`
  },
  flip(ranked, parameters) {
    const [first, second] = ranked
    if (!first || !second) return null
    const spending = spendingAmong(ranked, parameters)
    const gap = spending.totalOf(second) - spending.totalOf(first)
    const would = `would choose ${second.model}`
    if (allowedAmong(ranked, parameters)(second))
      return `${lessOrBetter(second, gap, spending)} ${would}`
    return gap < 0 ? `no limit for each prompt ${would}` : null
  },
}

function whyBest(ranked: readonly Contender[]): string {
  const [first, ...others] = ranked
  const isCheapest = others.every((one) => first !== undefined && usdOf(one) >= usdOf(first))
  return isCheapest
    ? 'Expected to be best, and the cheapest'
    : 'Expected to be best; no other model saves enough for the quality it may lose'
}

function lessOrBetter(
  second: Contender,
  gap: number,
  { qualityPerUsd }: Spending<Contender>,
): string {
  const worth = qualityPerUsd * usdOf(second)
  return gap < worth
    ? `a price ${Math.ceil((100 * gap) / worth)} % lower`
    : `${qualityPoints(gap)} more expected quality`
}

/** Whether a model stays within the limit for each prompt, where the router has one. */
function allowedAmong(
  contenders: readonly Contender[],
  parameters: RankParameters,
): (contender: Contender) => boolean {
  if (!parameters.limitEachPrompt) return () => true
  const tolerance = toleranceAmong(contenders, parameters)
  return (contender) => isAmongGood(contender, contenders, tolerance)
}
