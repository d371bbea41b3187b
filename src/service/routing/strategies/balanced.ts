/**
 * Expected quality minus weighted cost, latency and carbon. Each figure is placed between the candidates'
 * lowest (0) and highest (1) on a logarithmic scale, so a weight is what the whole range is worth.
 */
import { qualityPoints } from '../reason-words.ts'
import { isGoodEnough } from '../good-enough.ts'
import { byKey } from '../tie-break.ts'
import type { RankParameters } from '../../../shared/requests/detail.ts'
import type { Contender, Strategy } from './strategy.ts'

/** A model this far below the best quality is not weighed: no price makes up for it. */
const greatestGap = 0.25
/** A conversation stays with a model that is this close to the best. */
const near = 0.02
/** A thousandth of a cent stands in for free, which has no logarithm. */
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
    `Best balance of expected quality with cost (weight ${weights.cost}), latency (${weights.latency}) and carbon (${weights.carbon})`,
  flip(ranked, { weights }) {
    const [first, second] = ranked
    if (!first || !second) return null
    const worthOf = worth(ranked, weights)
    const gap = worthOf(first) - worthOf(second)
    // A lower weight helps the model that is higher in the range.
    const spans = spansOf(ranked)
    const names: readonly Figure[] = ['cost', 'latency', 'carbon']
    for (const name of names) {
      const more = spans[name](second) - spans[name](first)
      const needed = more === 0 ? Number.NaN : weights[name] - gap / more
      if (needed >= 0 && needed <= 1) {
        return `a weight of ${round(needed)} instead of ${weights[name]} for ${name} would choose ${second.model}`
      }
    }
    return `${qualityPoints(gap)} more expected quality would choose ${second.model}`
  },
}

/** Rounded to millionths, so that ties are ties on every machine. */
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

/** @returns 0 for the lowest of the contenders, 1 for the highest, on a logarithmic scale */
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
