/**
 * The least carbon of those that are good enough. Estimates of grams are off by half as much again at
 * the 90th percentile, so models within that of each other count as alike, and the cheaper goes first.
 */
import { flipInGood, goodEnoughFirst, isAmongGood, whyFirstOfGood } from '../good-enough.ts'
import { rankInBands } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** The error of the energy model at p90, leaving one model out (study, section 4.2). */
const bandRatio = 1.5

const gramsOf = ({ estimate }: Contender) => estimate.micrograms

export const carbonOptimized: Strategy = {
  rank: (contenders, { qualityTolerance }) =>
    goodEnoughFirst(contenders, qualityTolerance, (good) => {
      // Whose size nobody published cannot win by a guess.
      const known = good.filter(({ estimate }) => estimate.carbonMethod !== 'unknown')
      const unknown = good.filter(({ estimate }) => estimate.carbonMethod === 'unknown')
      return [known, unknown].flatMap((some) =>
        rankInBands(some, gramsOf, (grams, least) => grams <= bandRatio * least),
      )
    }),
  isNear: (kept, ranked, { qualityTolerance }) =>
    isAmongGood(kept, ranked, qualityTolerance) &&
    gramsOf(kept) <= bandRatio * gramsOf(ranked[0] ?? kept),
  why: (ranked, { qualityTolerance }) =>
    whyFirstOfGood(
      'the one that emits the least, or about the least and costs less,',
      ranked,
      qualityTolerance,
    ),
  flip: (ranked, { qualityTolerance }) =>
    flipInGood(ranked, qualityTolerance, { name: 'emissions', of: gramsOf }),
}
