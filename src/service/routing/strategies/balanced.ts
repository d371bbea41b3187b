/**
 * Expected quality less what cost, latency and carbon weigh. Each is taken by its logarithm between the
 * least and the greatest of the candidates, so that a weight says what the whole range is worth.
 */
import { isGoodEnough } from '../good-enough.ts'
import { byKey } from '../tie-break.ts'
import type { RankParameters } from '../../../shared/request-detail.ts'
import type { Contender, Strategy } from './strategy.ts'

/** Nobody this far below the best is weighed: no price makes up for it. */
const greatestGap = 0.25
/** A conversation stays with a model that is this near. */
const near = 0.02
/** A thousandth of a cent stands for free. */
const leastCostNanoUsd = 1_000

const figures = {
  cost: ({ estimate }: Contender) => Math.max(estimate.costNanoUsd, leastCostNanoUsd),
  latency: ({ estimate }: Contender) => Math.max(estimate.latencyMs, 1),
  carbon: ({ estimate }: Contender) => Math.max(estimate.micrograms, 1),
}
type Figure = keyof typeof figures

export const balanced: Strategy = {
  rank(contenders, { weights }) {
    const worthOf = worth(contenders, weights)
    const best = Math.max(...contenders.map(({ estimate }) => estimate.quality))
    const isWeighed = ({ estimate }: Contender) => isGoodEnough(estimate.quality, best, greatestGap)
    return [
      ...contenders.filter(isWeighed).toSorted(byKey((contender) => -worthOf(contender))),
      ...contenders
        .filter((contender) => !isWeighed(contender))
        .toSorted(byKey(({ estimate }) => -estimate.quality)),
    ]
  },
  isNear(kept, ranked, { weights }) {
    const [first = kept] = ranked
    const worthOf = worth(ranked, weights)
    return isGoodEnough(worthOf(kept), worthOf(first), near)
  },
  why: (_ranked, { weights }) =>
    `the best balance of expected quality with cost (weight ${weights.cost}), latency (${weights.latency}) and carbon (${weights.carbon})`,
  flip(ranked, { weights }) {
    const [first, second] = ranked
    if (!first || !second) return null
    const worthOf = worth(ranked, weights)
    const gap = worthOf(first) - worthOf(second)
    // How much more of its range the second takes: a lighter weight helps who takes more.
    const spans = spansOf(ranked)
    const names: readonly Figure[] = ['cost', 'latency', 'carbon']
    for (const name of names) {
      const more = spans[name](second) - spans[name](first)
      const needed = more === 0 ? Number.NaN : weights[name] - gap / more
      if (needed >= 0 && needed <= 1) {
        return `a weight of ${round(needed)} instead of ${weights[name]} for ${name} would choose ${second.model}`
      }
    }
    return `${round(gap)} more expected quality would choose ${second.model}`
  },
}

/** In millionths, whole, so that equal is equal on every machine. */
function worth(
  contenders: readonly Contender[],
  weights: RankParameters['weights'],
): (contender: Contender) => number {
  const spans = spansOf(contenders)
  return (contender) => {
    const less =
      weights.cost * spans.cost(contender) +
      weights.latency * spans.latency(contender) +
      weights.carbon * spans.carbon(contender)
    return Math.round((contender.estimate.quality - less) * 1e6) / 1e6
  }
}

/** 0 for the least of the contenders, 1 for the greatest, by the logarithm. */
function spansOf(
  contenders: readonly Contender[],
): Record<Figure, (contender: Contender) => number> {
  const span = (figureOf: (contender: Contender) => number) => {
    const all = contenders.map(figureOf)
    const least = Math.min(...all)
    const range = Math.log(Math.max(...all) / least)
    return (contender: Contender) =>
      range === 0 ? 0 : Math.log(figureOf(contender) / least) / range
  }
  return {
    cost: span(figures.cost),
    latency: span(figures.latency),
    carbon: span(figures.carbon),
  }
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
