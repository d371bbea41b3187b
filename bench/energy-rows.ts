/**
 * The error of the energy estimate on unseen models: the fit of catalog/energy.ts is repeated without each of the 16
 * measured models and then applied to that model. For comparison: EcoLogits' formula on the same points, and its
 * published figures as this program reproduces them.
 */
import measured from './data/ml-energy-h100.json' with { type: 'json' }
import { ecologitsImpact, gpusFor, gpuWhPerToken } from './ecologits.ts'
import { joulesPerOutputToken } from '../src/service/catalog/energy.ts'
import { quantile } from './quantile.ts'
import { row } from './row.ts'
import type { Measurement } from './measurement.ts'

interface Point {
  model: string
  activeBillions: number
  totalBillions: number
  batch: number
  joulesPerToken: number
}

export function energyRows(): Measurement[] {
  const points = measuredPoints()
  const left = leftOutFactors(points)
  const atUsualBatch = leftOutFactors(points, (point) => Math.abs(point.batch - 64) < 2)
  const ecologits = points.map((point) => factor(ecologitsJoulesPerToken(point), point))
  const shipped = points.map((point) => factor(shippedJoulesPerToken(point), point))
  return [
    row('energy, model left out, factor off, median', [quantile(left, 0.5), 'x'], target(1.25)),
    row('energy, model left out, factor off, p90', [quantile(left, 0.9), 'x'], target(1.7)),
    row('the same at a batch of 64, median', [quantile(atUsualBatch, 0.5), 'x']),
    row('the same at a batch of 64, p90', [quantile(atUsualBatch, 0.9), 'x']),
    row('energy, as shipped, factor off, median', [quantile(shipped, 0.5), 'x']),
    row('EcoLogits on the same points, median', [quantile(ecologits, 0.5), 'x']),
    row('EcoLogits on the same points, p90', [quantile(ecologits, 0.9), 'x']),
    row('EcoLogits reproduced, off at the most', [worstReproduction() * 100, '%'], target(1)),
  ]
}

function target(atMost: number) {
  return { target: { atMost } }
}

function measuredPoints(): Point[] {
  return measured.models.flatMap(({ points, ...model }) =>
    points.map(([batch = NaN, joulesPerToken = NaN]) => ({ ...model, batch, joulesPerToken })),
  )
}

/** @param asked  only these points of the model that was left out */
function leftOutFactors(points: readonly Point[], asked = (_point: Point) => true): number[] {
  const models = new Set(points.map(({ model }) => model))
  return [...models].flatMap((left) => {
    const weights = fit(points.filter(({ model }) => model !== left))
    return points
      .filter((point) => point.model === left && asked(point))
      .map((point) => factor(Math.exp(dot(weights, terms(point))), point))
  })
}

function factor(joulesPerToken: number, point: Point): number {
  return Math.exp(Math.abs(Math.log(joulesPerToken / point.joulesPerToken)))
}

/** The formula of catalog/energy.ts. */
function terms({ activeBillions, totalBillions, batch }: Point): number[] {
  const lnTotal = Math.log(totalBillions)
  const lnBatch = Math.log(batch)
  return [1, Math.log(activeBillions), lnTotal, lnBatch, lnTotal * lnBatch]
}

/** Least squares on logarithms, by the normal equations. */
function fit(points: readonly Point[]): number[] {
  const rows = points.map((point) => ({ x: terms(point), y: Math.log(point.joulesPerToken) }))
  const size = rows[0]?.x.length ?? 0
  const columns = Array.from({ length: size }, (_, index) => index)
  const equations = columns.map((i) => [
    ...columns.map((j) => sum(rows.map(({ x }) => (x[i] ?? 0) * (x[j] ?? 0)))),
    sum(rows.map(({ x, y }) => (x[i] ?? 0) * y)),
  ])
  return solve(equations)
}

/** Gaussian elimination with the largest pivot first. */
function solve(equations: readonly number[][]): number[] {
  const rows = equations.map((equation) => [...equation])
  for (let column = 0; column < rows.length; column++) {
    const below = rows.slice(column)
    const pivot = below.reduce((a, b) =>
      Math.abs(b[column] ?? 0) > Math.abs(a[column] ?? 0) ? b : a,
    )
    rows.splice(rows.indexOf(pivot), 1)
    rows.splice(column, 0, pivot)
    const head = pivot[column] ?? 1
    for (const other of rows) {
      if (other === pivot) continue
      const share = (other[column] ?? 0) / head
      for (const [index, value] of pivot.entries())
        other[index] = (other[index] ?? 0) - share * value
    }
  }
  return rows.map((equation, index) => (equation.at(-1) ?? 0) / (equation[index] ?? 1))
}

function shippedJoulesPerToken({ activeBillions, totalBillions, batch }: Point): number {
  return joulesPerOutputToken(activeBillions, totalBillions, batch)
}

/** EcoLogits' formula is for a single batch. Only its GPU energy is compared, as in the measurements. */
function ecologitsJoulesPerToken({ activeBillions, totalBillions, batch }: Point): number {
  return gpusFor(totalBillions) * gpuWhPerToken(activeBillions, batch) * 3600
}

/** Mistral Large 2 and Mistral Small 3.2, 400 tokens, as published (blog, November 2025). */
function worstReproduction(): number {
  const sweden = { pue: 1.16, wueOnSite: 0.09, wueOffSite: 6.0315, gridGramsPerKwh: 35.82 }
  const large = ecologitsImpact(
    { activeBillions: 123, totalBillions: 123, speed: null },
    { outputTokens: 400, latencySeconds: 8.2 },
    sweden,
  )
  const pairs = [
    [large.energyWh, 0.23],
    [large.usageGrams + large.embodiedGrams, 0.013],
    [large.waterMl, 1.63],
    [400 * gpuWhPerToken(24), 0.021_68],
  ]
  return Math.max(...pairs.map(([ours = NaN, theirs = NaN]) => Math.abs(ours / theirs - 1)))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a.map((value, index) => value * (b[index] ?? 0)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
