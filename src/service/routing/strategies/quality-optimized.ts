/** The best expected quality; among models that are about equal, the cheapest. */
import { qualityPoints } from '../reason-words.ts'
import { isGoodEnough } from '../good-enough.ts'
import { qualityBand as band } from '../loss-account.ts'
import { breakTie, rankInBands } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** A conversation stays with a model that is this close to the best. */
const near = 0.02
/** Qualities are rounded to ten-thousandths. */
const step = 1e-4

const qualityOf = ({ estimate }: Contender) => estimate.quality

export const qualityOptimized: Strategy = {
  rank: (contenders) =>
    rankInBands(
      contenders,
      (contender) => -qualityOf(contender),
      (key, best) => isGoodEnough(-key, -best, band),
    ),
  isNear: (kept, [first = kept]) => isGoodEnough(qualityOf(kept), qualityOf(first), near),
  why: ([first, second]) => {
    const isAlike = first && second && isGoodEnough(qualityOf(second), qualityOf(first), band)
    return isAlike
      ? 'Cheapest of the models with about the best expected quality'
      : 'Best expected quality'
  },
  flip: ([first, second]) => {
    if (!first || !second) return null
    const gap = qualityOf(first) - qualityOf(second)
    // Within a band the cheaper goes first; the more expensive one has to rise above the band.
    const isCheaper = breakTie(second, first) < 0
    const more = Math.max(0, gap + (isCheaper ? -band : band + step))
    return `${qualityPoints(more)} more expected quality would choose ${second.model}`
  },
}
