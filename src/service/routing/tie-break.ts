/** Breaks ties: lower cost, lower latency, higher quality, the user's order, the name, the default effort. */
import type { Contender } from './strategies/strategy.ts'

/** Orders by a key, smallest first. @param keyOf  a rounded number, so that ties are ties everywhere */
export function byKey(keyOf: (contender: Contender) => number) {
  return (a: Contender, b: Contender): number => keyOf(a) - keyOf(b) || breakTie(a, b)
}

export function breakTie(a: Contender, b: Contender): number {
  return (
    a.estimate.costNanoUsd - b.estimate.costNanoUsd ||
    a.estimate.latencyMs - b.estimate.latencyMs ||
    b.estimate.quality - a.estimate.quality ||
    a.position - b.position ||
    (a.model < b.model ? -1 : Number(a.model > b.model)) ||
    effortRank(a) - effortRank(b)
  )
}

/** The provider's default first. */
function effortRank({ effort }: Contender): number {
  return Number(effort !== undefined)
}

/**
 * Orders in bands, so that a tolerance gives one well-defined order: all within the tolerance of the best
 * remaining key form a band, which is ordered by the tie-break; then follows the next band.
 * @param isWithin  whether a key is as good as the best of its band
 */
export function rankInBands<One extends Contender>(
  contenders: readonly One[],
  keyOf: (contender: Contender) => number,
  isWithin: (key: number, best: number) => boolean,
): One[] {
  let left = contenders.toSorted(byKey(keyOf))
  const ranked: One[] = []
  for (let best = left[0]; best !== undefined; best = left[0]) {
    const bestKey = keyOf(best)
    const band = left.filter((contender) => isWithin(keyOf(contender), bestKey))
    ranked.push(...band.toSorted(breakTie))
    left = left.filter((contender) => !band.includes(contender))
  }
  return ranked
}
