/** The cheapest of those that are good enough; when all of them fail, the best of the others. */
import { flipInGood, goodEnoughFirst, isAmongGood, whyFirstOfGood } from '../good-enough.ts'
import { breakTie } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** A change of model costs its prompt cache, which the estimate knows, and its habits, which it does not. */
const nearPercent = 115

const costOf = ({ estimate }: Contender) => estimate.costNanoUsd

export const costOptimized: Strategy = {
  rank: (contenders, { qualityTolerance }) =>
    // The tie-break begins with the cost.
    goodEnoughFirst(contenders, qualityTolerance, (good) => good.toSorted(breakTie)),
  isNear: (kept, ranked, { qualityTolerance }) =>
    isAmongGood(kept, ranked, qualityTolerance) &&
    100 * costOf(kept) <= nearPercent * costOf(ranked[0] ?? kept),
  why: (ranked, { qualityTolerance }) => whyFirstOfGood('the cheapest', ranked, qualityTolerance),
  flip: (ranked, { qualityTolerance }) =>
    flipInGood(ranked, qualityTolerance, { name: 'a price', of: costOf }),
}
