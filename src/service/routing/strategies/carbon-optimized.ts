/**
 * The lowest emissions among the models that are good enough. Estimates of grams are off by up to 50 % at
 * the 90th percentile, so models within that factor count as equal and the cheaper goes first.
 */
import { flipInGood, goodEnoughFirst, isAmongGood, whyFirstOfGood } from '../good-enough.ts'
import { rankInBands } from '../tie-break.ts'
import type { Contender, Strategy } from './strategy.ts'

/** The error of the energy model at p90, leaving one model out (study, section 4.2). */
const bandRatio = 1.5

const gramsOf = ({ estimate }: Contender) => estimate.micrograms
const isKnown = ({ estimate }: Contender) => estimate.carbonMethod !== 'unknown'

export const carbonOptimized: Strategy = {
  rank: (contenders, { qualityTolerance }) =>
    goodEnoughFirst(contenders, qualityTolerance, (good) => {
      // A model of unpublished size must not win by a guess.
      const known = good.filter(isKnown)
      const unknown = good.filter((one) => !isKnown(one))
      return [known, unknown].flatMap((some) =>
        rankInBands(some, gramsOf, (grams, least) => grams <= bandRatio * least),
      )
    }),
  isNear: (kept, ranked, { qualityTolerance }) =>
    isAmongGood(kept, ranked, qualityTolerance) &&
    gramsOf(kept) <= bandRatio * gramsOf(ranked[0] ?? kept),
  why: (ranked, { qualityTolerance }) => {
    const [first] = ranked
    // Assumed emissions of an unpublished size were not compared with others.
    const isFirstKnown = first !== undefined && isKnown(first)
    const grams = ranked
      .filter((one) => isKnown(one) === isFirstKnown)
      .filter((one) => isAmongGood(one, ranked, qualityTolerance))
      .map((one) => gramsOf(one))
    const isLeast = first === undefined || gramsOf(first) <= Math.min(...grams)
    const superlative = isLeast ? 'Lowest emissions' : 'Cheapest with about the lowest emissions'
    return whyFirstOfGood(superlative, ranked, qualityTolerance)
  },
  flip: (ranked, { qualityTolerance }) =>
    flipInGood(ranked, qualityTolerance, { name: 'emissions', amountOf: gramsOf }),
}
