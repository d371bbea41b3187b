/**
 * What a dollar counts in quality while a router's budget is paced: the more, the further its spending
 * runs ahead of an even pace. The strategy stays what it is, on qualities from which that is taken.
 * In memory, by router: after a restart it begins anew.
 *
 * Each request moves it by how far ahead the spending is, so that it finds what keeps the budget. That
 * alone swings: spending is a sum and answers late, so weeks of the cheapest follow weeks of the dearest
 * (simulated: 1,800 requests a month on two models, mean quality 0.772). What is ahead at the moment
 * therefore counts as well, at once, and both models are asked every day (0.787, of 0.788 at the best).
 */
import type { Router } from '../../shared/entities.ts'
import type { Candidate } from '../routing/candidate.ts'
import { expectedCostNanoUsd } from '../routing/expected-cost.ts'
import { lnOutputPrior } from '../routing/expected-output.ts'

/** What the answer of the middle candidate costs counts as so much quality at first: a usual tolerance. */
const qualityOfMedianCost = 0.08
/** Per request, by the logarithm, when twice as much was spent as the pace allows. */
const step = 0.1
/** One request never moves it further, however dear the first of a period was. */
const greatestStep = 0.1
/**
 * So far from where it began it may go: at a twentieth a dollar hardly counts, at twenty times only the
 * cheapest are left. Further it would be too long on its way back; from 0 there would be none.
 */
const greatestFactor = 20

/** What is ahead at the moment, by the logarithm: a tenth makes a dollar count 2.7 times as much. */
const atOnce = 10
const greatestAtOnce = 3

const usualOutputTokens = Math.exp(
  lnOutputPrior.reduce((sum, ln) => sum + ln, 0) / lnOutputPrior.length,
)

interface Pace {
  /** Where it began, quality per US dollar. */
  initial: number
  current: number
}

export interface PacingOptions {
  /** What was spent, over what an even pace allows by now; null while that is not known. */
  paceOf(router: Router): number | null
}

export class Pacing {
  readonly #options: PacingOptions
  readonly #paces = new Map<string, Pace>()

  constructor(options: PacingOptions) {
    this.#options = options
  }

  /**
   * To be asked once for each request: each moves it.
   * @returns quality per US dollar; 0 where the router is not paced, has no budget, or costs nothing
   */
  qualityPerUsd(router: Router, candidates: readonly Candidate[], promptTokens: number): number {
    const { routing, budgetUsdPerDay, budgetUsdPerMonth } = router
    if (!routing.pacing || (budgetUsdPerDay === null && budgetUsdPerMonth === null)) return 0
    const pace = this.#paces.get(router.id) ?? beginPace(candidates, promptTokens)
    if (pace === null) return 0
    this.#paces.set(router.id, pace)
    const ratio = this.#options.paceOf(router)
    if (ratio === null) return rounded(pace.current)
    pace.current = moved(pace, ratio)
    const ahead = Math.min(greatestAtOnce, Math.max(-greatestAtOnce, atOnce * (ratio - 1)))
    return rounded(pace.current * Math.exp(ahead))
  }
}

function moved({ initial, current }: Pace, ratio: number): number {
  const next = current * Math.exp(Math.min(greatestStep, step * (ratio - 1)))
  return Math.min(initial * greatestFactor, Math.max(initial / greatestFactor, next))
}

/** Four digits say it all, and it is recorded with every request. */
function rounded(qualityPerUsd: number): number {
  return Number(qualityPerUsd.toPrecision(4))
}

/** Null where all candidates are free. */
function beginPace(candidates: readonly Candidate[], promptTokens: number): Pace | null {
  const costs = candidates
    .map(({ price }) =>
      expectedCostNanoUsd(price, { promptTokens, outputTokens: usualOutputTokens }),
    )
    .filter((costNanoUsd) => costNanoUsd > 0)
    .toSorted((a, b) => a - b)
  const median = costs[Math.floor(costs.length / 2)]
  if (median === undefined) return null
  const initial = qualityOfMedianCost / (median / 1e9)
  return { initial, current: initial }
}
