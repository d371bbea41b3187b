/**
 * While a router's budget is paced, every dollar of cost lowers a model's quality, and the more so the
 * further spending runs ahead of an even pace. The strategy ranks by the lowered qualities. State is in
 * memory by router; a restart resets it.
 *
 * Each request adjusts the value by how far ahead the spending is, so that it converges to what keeps the
 * budget. That alone oscillates: spending is a sum and reacts late, so weeks of the cheapest model follow
 * weeks of the most expensive (simulated: 1,800 requests a month on two models, mean quality 0.772). The
 * current lead therefore also counts at once, and both models are used every day (0.787, of at most 0.788).
 */
import type { Router } from '../../../shared/entities.ts'
import type { LossAccount } from '../../../shared/requests/detail.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { expectedCostNanoUsd } from '../../routing/expected-cost.ts'
import { lnOutputPrior } from '../../routing/expected-output.ts'
import type { SpendingState } from '../../routing/parameters.ts'

/** Initial quality that the cost of the median candidate takes away: a usual tolerance. */
const qualityOfMedianCost = 0.08
/** Change per request of the logarithm when spending is twice what the pace allows. */
const step = 0.1
/** Largest change by one request, however expensive the first request of a period was. */
const greatestStep = 0.1
/**
 * Bounds relative to the initial value: at a twentieth, cost hardly counts; at twenty times, only the
 * cheapest models are left. Beyond these, it would take too long to return; from 0 it never would.
 */
const greatestFactor = 20

/** Effect of the current lead on the logarithm: a lead of a tenth makes a dollar count 2.7 times as much. */
const atOnce = 10
const greatestAtOnce = 3

const usualOutputTokens = Math.exp(
  lnOutputPrior.reduce((sum, ln) => sum + ln, 0) / lnOutputPrior.length,
)

interface Pace {
  /** Initial value, in quality per US dollar. */
  initial: number
  current: number
}

const unpaced = { pace: null, value: 0 }

export interface PacingOptions {
  /** Spending divided by what an even pace allows so far; null while unknown. */
  paceOf(router: Router): number | null
  accountOf(router: Router): LossAccount
}

export class Pacing {
  readonly #options: PacingOptions
  readonly #paces = new Map<string, Pace>()

  constructor(options: PacingOptions) {
    this.#options = options
  }

  /**
   * Call it once per request: each call adjusts the pace. Its quality per US dollar is 0 when the router is not paced,
   * has no budget, or all candidates are free.
   */
  spendingOf(
    router: Router,
    candidates: readonly Candidate[],
    promptTokens: number,
  ): SpendingState {
    const { pace, value } = this.#next(router, candidates, promptTokens)
    if (pace !== null) this.#paces.set(router.id, pace)
    return { qualityPerUsd: value, account: this.#options.accountOf(router) }
  }

  /** Spending of the next request, without adjusting the pace. */
  nextSpendingOf(
    router: Router,
    candidates: readonly Candidate[],
    promptTokens: number,
  ): SpendingState {
    const { value } = this.#next(router, candidates, promptTokens)
    return { qualityPerUsd: value, account: this.#options.accountOf(router) }
  }

  #next(
    router: Router,
    candidates: readonly Candidate[],
    promptTokens: number,
  ): { pace: Pace | null; value: number } {
    const { routing, budgetUsdPerDay, budgetUsdPerMonth } = router
    if (!routing.pacing || (budgetUsdPerDay === null && budgetUsdPerMonth === null)) return unpaced
    const pace = this.#paces.get(router.id) ?? beginPace(candidates, promptTokens)
    if (pace === null) return unpaced
    const ratio = this.#options.paceOf(router)
    if (ratio === null) return { pace, value: rounded(pace.current) }
    const current = moved(pace, ratio)
    const ahead = Math.min(greatestAtOnce, Math.max(-greatestAtOnce, atOnce * (ratio - 1)))
    return { pace: { ...pace, current }, value: rounded(current * Math.exp(ahead)) }
  }
}

function moved({ initial, current }: Pace, ratio: number): number {
  const next = current * Math.exp(Math.min(greatestStep, step * (ratio - 1)))
  return Math.min(initial * greatestFactor, Math.max(initial / greatestFactor, next))
}

/** The value with four significant digits, because it is recorded with every request. */
function rounded(qualityPerUsd: number): number {
  return Number(qualityPerUsd.toPrecision(4))
}

/** @returns null when all candidates are free */
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
