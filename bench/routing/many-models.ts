/** Figures 1 and 3: savings on pools of many models, cross-validated within each file. */
import { defaultWeights } from '../../src/shared/routers/routing-settings.ts'
import type { RankParameters } from '../../src/shared/requests/detail.ts'
import { spendAccount } from './account.ts'
import { areaUnder, costAt, hullOf, type Point } from './curve.ts'
import { choose, expectationsFrom, type Expectation } from './fold.ts'
import { mean } from '../../training/reader/mean.ts'
import { bestOf, singles, type Pool, type PoolRow } from './pool.ts'
import { shuffled } from '../../training/reader/random.ts'

export interface PoolFigures {
  /** AIQ, 0 to 100. */
  aiq: number
  /** Per cent of the best model's cost at 95 and 98 % of its quality, for the best weight of cost. */
  savedAt95: number
  savedAt98: number
  /** The same, sweeping the tolerance. */
  savedAt95ByTolerance: number
  /** Per cent of the best model's quality and cost with a router's default settings. */
  defaultKept: number
  defaultSaved: number
}

const folds = 5
/** Up to half of the quality scale. */
const tolerances = Array.from({ length: 101 }, (_, step) => step / 200)
/** The quality that a dollar is worth: 0, then from 0.1 to 100,000 in steps of a fifth. */
const paces = [0, ...Array.from({ length: 76 }, (_, step) => 0.1 * 1.2 ** step)]

/**
 * The product's choices on prompts it has not learned from: five folds, each decided with the knowledge of the other
 * four. @param readerFor  returns the prompt reader trained on the labels of these rows only
 */
export function crossValidate(
  pool: Pool,
  seed: number,
  readerFor: (taught: readonly PoolRow[]) => Parameters<typeof expectationsFrom>[2]['read'],
): Expectation[] {
  const places = shuffled([...pool.rows.keys()], seed)
  return Array.from({ length: folds }, (_, fold) => {
    const isAsked = new Set(places.filter((__, index) => index % folds === fold))
    const taught = pool.rows.filter((__, index) => !isAsked.has(index))
    const asked = pool.rows.filter((__, index) => isAsked.has(index))
    return expectationsFrom(pool, taught, { read: readerFor(taught), asked })
  }).flat()
}

export function figuresOf(expectations: readonly Expectation[]): PoolFigures {
  const alone = singles(expectations.map(({ row }) => row))
  const best = bestOf(alone)
  const at = (parameters: RankParameters) => pointOf(expectations, parameters)
  const byPace = hullOf(
    paces.map((qualityPerUsd) => at(parametersWith({ qualityTolerance: 0, qualityPerUsd }))),
  )
  const byTolerance = hullOf(
    tolerances.map((qualityTolerance) => at(parametersWith({ qualityTolerance }))),
  )
  const chosen = spendAccount(expectations.map(({ contenders }) => contenders))
  const usual = meanPoint(
    expectations.map(({ row }, index) => ({ row, place: chosen[index]?.position ?? 0 })),
  )
  const saved = (cost: number) => 100 * (1 - cost / best.cost)
  return {
    aiq: 100 * aiqOf(byPace, alone),
    savedAt95: saved(costAt(byPace, 0.95 * best.quality)),
    savedAt98: saved(costAt(byPace, 0.98 * best.quality)),
    savedAt95ByTolerance: saved(costAt(byTolerance, 0.95 * best.quality)),
    defaultKept: (100 * usual.quality) / best.quality,
    defaultSaved: saved(usual.cost),
  }
}

/** The best result of mixing models with hindsight, without reading a prompt. */
export function staticFigures({ rows }: Pool): Pick<PoolFigures, 'aiq' | 'savedAt95'> {
  const alone = singles(rows)
  const best = bestOf(alone)
  const hull = hullOf(alone)
  const saved = 100 * (1 - costAt(hull, 0.95 * best.quality) / best.cost)
  return { aiq: 100 * aiqOf(hull, alone), savedAt95: saved }
}

/** AIQ of the sweep of the weight of cost. */
export function aiqByPace(expectations: readonly Expectation[]): number {
  const hull = hullOf(
    paces.map((qualityPerUsd) =>
      pointOf(expectations, parametersWith({ qualityTolerance: 0, qualityPerUsd })),
    ),
  )
  return 100 * aiqOf(hull, singles(expectations.map(({ row }) => row)))
}

function aiqOf(hull: readonly Point[], alone: readonly Point[]): number {
  const costs = alone.map(({ cost }) => cost)
  return areaUnder(hull, Math.min(...costs), Math.max(...costs))
}

function pointOf(expectations: readonly Expectation[], parameters: RankParameters): Point {
  return meanPoint(
    expectations.map((expectation) => ({
      row: expectation.row,
      place: choose(expectation, parameters),
    })),
  )
}

function meanPoint(chosen: readonly { row: PoolRow; place: number }[]): Point {
  return {
    cost: mean(chosen.map(({ row, place }) => row.costsNanoUsd[place] ?? 0)),
    quality: mean(chosen.map(({ row, place }) => row.scores[place] ?? 0)),
  }
}

function parametersWith(given: Partial<RankParameters>): RankParameters {
  return {
    qualityTolerance: 0,
    weights: defaultWeights,
    latencyPercentile: 50,
    qualityPerUsd: 0,
    limitEachPrompt: false,
    account: null,
    ...given,
  }
}
