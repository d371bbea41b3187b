/**
 * The figures of many decisions at once, in typed arrays. It chooses as `order` does under `cost_optimized` and
 * its relatives; `differingChoices` checks that.
 */
import { order } from '../../src/service/routing/order.ts'
import { contender, sampleParameters } from '../../test/routing/sample-candidates.ts'
import { areaUnder, costAt, hullOf, type Point } from './curve.ts'
import { bestOf, singles, type PoolRow } from './pool.ts'

/** What is expected of each model for each prompt; row by row, and within each in the order of the models. */
export interface Expected {
  models: number
  /** Rounded as estimates are, to ten-thousandths. */
  quality: Float64Array
  costNanoUsd: Float64Array
  latencyMs: Float64Array
}

/** Prompts to decide on, with the models' answers to them; laid out as `Expected`. */
export interface Decided {
  rows: readonly PoolRow[]
  models: number
  scores: Float64Array
  costsNanoUsd: Float64Array
  alone: readonly Point[]
}

export interface SweepFigures {
  /** 0 to 100, by the router's pace. */
  aiq: number
  /** Per cent of the best model's cost at 95 % of its quality. NaN where that is not reached. */
  savedAt95: number
  /** Per cent of the best model's quality and cost by `cost_optimized` with a tolerance of 0.08. */
  kept: number
  saved: number
  /** Mean squared difference between expected and actual quality. */
  brier: number
}

/** What a dollar counts in quality: nothing, then from 0.1 to 100,000, a fifth more each time. */
export const paces = [0, ...Array.from({ length: 76 }, (_, step) => 0.1 * 1.2 ** step)]
/** What a router with a tolerance of its own often sets. */
const usualTolerance = 0.08
const rounding = 1e-9

export function toDecided(rows: readonly PoolRow[]): Decided {
  return {
    rows,
    models: rows[0]?.scores.length ?? 0,
    scores: Float64Array.from(rows.flatMap(({ scores }) => scores)),
    costsNanoUsd: Float64Array.from(rows.flatMap(({ costsNanoUsd }) => costsNanoUsd)),
    alone: singles(rows),
  }
}

export function sweepFigures(expected: Expected, decided: Decided): SweepFigures {
  const at = (qualityTolerance: number, qualityPerUsd: number) =>
    pointOf(choices(expected, { qualityTolerance, qualityPerUsd }), decided)
  const hull = hullOf(paces.map((pace) => at(0, pace)))
  const usual = at(usualTolerance, 0)
  const best = bestOf(decided.alone)
  const costs = decided.alone.map(({ cost }) => cost)
  return {
    aiq: 100 * areaUnder(hull, Math.min(...costs), Math.max(...costs)),
    savedAt95: 100 * (1 - costAt(hull, 0.95 * best.quality) / best.cost),
    kept: (100 * usual.quality) / best.quality,
    saved: 100 * (1 - usual.cost / best.cost),
    brier: brierOf(expected, decided),
  }
}

/** Prompts for which the product's own `order` puts another model first; 0 unless this file is wrong. */
export function differingChoices(expected: Expected, given: SweepParameters): number {
  const { models } = expected
  const chosen = choices(expected, given)
  return chosen.reduce((differing, place, row) => {
    const contenders = Array.from({ length: models }, (_, model) => {
      const at = row * models + model
      const estimate = {
        quality: expected.quality[at] ?? 0,
        costNanoUsd: expected.costNanoUsd[at] ?? 0,
        latencyMs: expected.latencyMs[at] ?? 0,
      }
      return contender(`model-${model}`, estimate, model)
    })
    const [first] = order(contenders, 'cost_optimized', { ...sampleParameters, ...given })
    return differing + Number(first?.position !== place)
  }, 0)
}

interface SweepParameters {
  qualityTolerance: number
  qualityPerUsd: number
}

/** The model of each prompt: the cheapest that is good enough, as `order` finds it. */
function choices(expected: Expected, { qualityTolerance, qualityPerUsd }: SweepParameters) {
  const { models, quality, costNanoUsd } = expected
  const chosen = new Uint8Array(quality.length / models)
  const paced = new Float64Array(models)
  for (let row = 0; row < chosen.length; row += 1) {
    const start = row * models
    let best = -Infinity
    for (let model = 0; model < models; model += 1) {
      const spent = (qualityPerUsd * (costNanoUsd[start + model] ?? 0)) / 1e9
      const value = (quality[start + model] ?? 0) - spent
      const rounded = qualityPerUsd === 0 ? value : Math.round(value * 1e4) / 1e4
      paced[model] = rounded
      if (rounded > best) best = rounded
    }
    chosen[row] = cheapestOfGood(expected, { start, paced, least: best - qualityTolerance })
  }
  return chosen
}

function cheapestOfGood(
  { models, costNanoUsd, latencyMs }: Expected,
  { start, paced, least }: { start: number; paced: Float64Array; least: number },
): number {
  let chosen = -1
  for (let model = 0; model < models; model += 1) {
    if ((paced[model] ?? 0) < least - rounding) continue
    if (chosen === -1) chosen = model
    else {
      const ahead =
        (costNanoUsd[start + model] ?? 0) - (costNanoUsd[start + chosen] ?? 0) ||
        (latencyMs[start + model] ?? 0) - (latencyMs[start + chosen] ?? 0) ||
        (paced[chosen] ?? 0) - (paced[model] ?? 0)
      if (ahead < 0) chosen = model
    }
  }
  return chosen
}

function pointOf(chosen: Uint8Array, { models, scores, costsNanoUsd }: Decided): Point {
  let cost = 0
  let quality = 0
  for (let row = 0; row < chosen.length; row += 1) {
    const at = row * models + (chosen[row] ?? 0)
    cost += costsNanoUsd[at] ?? 0
    quality += scores[at] ?? 0
  }
  return { cost: cost / chosen.length, quality: quality / chosen.length }
}

function brierOf({ quality }: Expected, { scores }: Decided): number {
  let sum = 0
  for (let at = 0; at < quality.length; at += 1) {
    sum += ((quality[at] ?? 0) - (scores[at] ?? 0)) ** 2
  }
  return sum / quality.length
}
