/** The best expected answer; of those about as good, the cheapest. */
import { rankInBands } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** No estimate is finer than half a point. */
const band = 0.005
/** A conversation stays with a model that is this near. */
const near = 0.02
const rounding = 1e-9

const qualityOf = ({ estimate }: Contender) => estimate.quality

export const qualityOptimized: Strategy = {
  rank: (contenders) =>
    rankInBands(
      contenders,
      (contender) => -qualityOf(contender),
      (key, best) => key - best <= band + rounding,
    ),
  isNear: (kept, [first = kept]) => qualityOf(first) - qualityOf(kept) <= near + rounding,
  why: ([first, second]) => {
    const isAlike = first && second && Math.abs(qualityOf(first) - qualityOf(second)) <= band
    return isAlike ? 'cheapest of those expected to answer best' : 'expected to answer best'
  },
  flip: ([first, second]) => {
    if (!first || !second) return null
    const gap = qualityOf(first) - qualityOf(second)
    const more = Math.max(0, Math.round((gap - band) * 1e4) / 1e4)
    return `${more} more expected quality would choose ${second.model} if it is the cheaper, ${band} beyond it in any case`
  },
}
