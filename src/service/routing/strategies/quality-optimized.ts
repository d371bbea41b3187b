/** The best expected answer; of those about as good, the cheapest. */
import { isGoodEnough } from '../good-enough.ts'
import { breakTie, rankInBands } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** No estimate is finer than half a point. */
const band = 0.005
/** A conversation stays with a model that is this near. */
const near = 0.02
/** Qualities are told in ten-thousandths. */
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
    return isAlike ? 'the cheapest of those expected to answer best' : 'expected to answer best'
  },
  flip: ([first, second]) => {
    if (!first || !second) return null
    const gap = qualityOf(first) - qualityOf(second)
    // The cheaper of two in a band goes first; the dearer has to leave the band behind.
    const isCheaper = breakTie(second, first) < 0
    const more = Math.max(0, gap + (isCheaper ? -band : band + step))
    return `${Math.round(more * 1e4) / 1e4} more expected quality would choose ${second.model}`
  },
}
