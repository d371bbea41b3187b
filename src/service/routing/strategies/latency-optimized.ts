/** The fastest model that is good enough; models whose latency is only assumed come last. */
import { flipInGood, goodEnoughFirst, isAmongGood, whyFirstOfGood } from '../good-enough.ts'
import { byKey } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** Latencies this near to the best count as equal: like for cost, switching models has a price of its own. */
const nearPercent = 115

/** Latency at the percentile that the router compares. */
const latencyAt = (percentile: 50 | 95) => (contender: Contender) =>
  percentile === 95 ? contender.estimate.latencyP95Ms : contender.estimate.latencyMs

const isAssumed = ({ estimate }: Contender) => Number(estimate.latencySource === 'assumed')

export const latencyOptimized: Strategy = {
  rank: (contenders, { qualityTolerance, latencyPercentile }) => {
    const byLatency = byKey(latencyAt(latencyPercentile))
    return goodEnoughFirst(contenders, qualityTolerance, (good) =>
      good.toSorted((a, b) => isAssumed(a) - isAssumed(b) || byLatency(a, b)),
    )
  },
  isNear: (kept, ranked, { qualityTolerance, latencyPercentile }) => {
    const latencyOf = latencyAt(latencyPercentile)
    return (
      isAmongGood(kept, ranked, qualityTolerance) &&
      100 * latencyOf(kept) <= nearPercent * latencyOf(ranked[0] ?? kept)
    )
  },
  why: (ranked, { qualityTolerance }) => whyFirstOfGood('Fastest', ranked, qualityTolerance),
  flip: (ranked, { qualityTolerance, latencyPercentile }) =>
    flipInGood(ranked, qualityTolerance, {
      name: 'a latency',
      amountOf: latencyAt(latencyPercentile),
    }),
}
