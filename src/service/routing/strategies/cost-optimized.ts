/** The cheapest model that is good enough; when all of those fail, the best of the others. */
import { flipInGood, goodEnoughFirst, isAmongGood, whyFirstOfGood } from '../good-enough.ts'
import { breakTie } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** Switching models loses the prompt cache, which the estimate counts, and the tone, which it does not. */
const nearPercent = 115

const costOf = ({ estimate }: Contender) => estimate.costNanoUsd

export const costOptimized: Strategy = {
  rank: (contenders, { qualityTolerance }) =>
    // The tie-break starts with the cost.
    goodEnoughFirst(contenders, qualityTolerance, (good) => good.toSorted(breakTie)),
  isNear: (kept, ranked, { qualityTolerance }) =>
    isAmongGood(kept, ranked, qualityTolerance) &&
    100 * costOf(kept) <= nearPercent * costOf(ranked[0] ?? kept),
  why: (ranked, { qualityTolerance }) => whyFirstOfGood('Cheapest', ranked, qualityTolerance),
  flip: (ranked, { qualityTolerance }) =>
    flipInGood(ranked, qualityTolerance, { name: 'a price', of: costOf }),
}
