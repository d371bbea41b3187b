/** Spends an account of allowed loss; with a tolerance of the router's own, the cheapest model within it. */
import type { RankParameters } from '../../../shared/requests/detail.ts'
import {
  flipInGood,
  goodEnoughFirst,
  isAmongGood,
  toleranceAmong,
  whyFirstOfGood,
} from '../good-enough.ts'
import { breakTie } from '../tie-break.ts'
import { byAccount, nearShare } from './by-account.ts'
import type { Contender, Strategy } from './strategy.ts'

const costOf = ({ estimate }: Contender) => estimate.costNanoUsd

/** Ranks those within the tolerance first, then the best of the others, in case all of them fail. */
const byTolerance: Strategy = {
  rank: (contenders, parameters) =>
    // The tie-break starts with the cost.
    goodEnoughFirst(contenders, toleranceAmong(contenders, parameters), (good) =>
      good.toSorted(breakTie),
    ),
  isNear: (kept, ranked, parameters) =>
    isAmongGood(kept, ranked, toleranceAmong(ranked, parameters)) &&
    costOf(kept) <= Math.round((1 + nearShare) * costOf(ranked[0] ?? kept)),
  why: (ranked, parameters) =>
    whyFirstOfGood('Cheapest', ranked, toleranceAmong(ranked, parameters)),
  flip: (ranked, parameters) =>
    flipInGood(ranked, toleranceAmong(ranked, parameters), { name: 'a price', amountOf: costOf }),
}

const ruleOf = ({ account }: RankParameters) => (account === null ? byTolerance : byAccount)

export const costOptimized: Strategy = {
  rank: (contenders, parameters) => ruleOf(parameters).rank(contenders, parameters),
  isNear: (kept, ranked, parameters) =>
    ruleOf(parameters).isNear?.(kept, ranked, parameters) ?? false,
  why: (ranked, parameters) => ruleOf(parameters).why(ranked, parameters),
  flip: (ranked, parameters) => ruleOf(parameters).flip(ranked, parameters),
}
