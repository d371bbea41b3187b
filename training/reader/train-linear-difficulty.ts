/**
 * The training of the difficulty head's linear part: a logistic regression over pairs of a model and a prompt, in which
 * the model's points are given, beside the squared error of graded prompts. Each file has its own strictness, which
 * is dropped in use, and answers by chance are part of the model.
 */
import { linearFeatureNames } from '../../src/service/routing/prompt/difficulty-features.ts'
import { stemValue } from '../../src/service/routing/prompt/difficulty-head.ts'
import { standardised } from '../../src/service/routing/prompt/gain-head.ts'
import { stemCount } from '../../src/service/routing/prompt/instruction-features.ts'
import type { DifficultyWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import {
  fileWeights,
  gradedWeight,
  slopeOf,
  type DifficultyFeatures,
  type DifficultySamples,
  type GradedFeatures,
  type ScoredPrompt,
} from './difficulty-loss.ts'

const denseRidge = 0.008
const stemRidge = 0.0007
const strictnessRidge = 0.001
const newtonSteps = 6
const conjugateSteps = 60
/** Ends a search for a step that is as good as exact. */
const smallResidual = 1e-10

const denseCount = linearFeatureNames.length
const interceptAt = denseCount + stemCount

export interface LinearDifficulty {
  weights: Omit<DifficultyWeights, 'trees'>
  /** Strictness of each file, in logits. */
  strictness: ReadonlyMap<string, number>
}

/** The same samples in the same order give the same weights. */
export function trainLinearDifficulty(samples: DifficultySamples): LinearDifficulty {
  const scaling = scalingOf(samples)
  const files = [...new Set(samples.scored.map(({ file }) => file))]
  const points = pointsOf(samples, files, scaling)
  const parameters = new Float64Array(interceptAt + 1 + files.length)
  for (let step = 0; step < newtonSteps; step += 1) {
    const { gradient, curvatures } = slopesAt(parameters, points)
    const change = solve(points, curvatures, gradient)
    for (let at = 0; at < parameters.length; at += 1) {
      parameters[at] = (parameters[at] ?? 0) - (change[at] ?? 0)
    }
  }
  const strictness = files.map((file, at) => [file, parameters[interceptAt + 1 + at] ?? 0] as const)
  return { weights: { ...scaling, ...quantised(parameters) }, strictness: new Map(strictness) }
}

function quantised(parameters: Float64Array) {
  const rounded = (value: number) => Number(value.toFixed(5))
  const stems = parameters.slice(denseCount, interceptAt)
  const stemScale = Number((Math.max(...stems.map(Math.abs)) / 127 || 1).toPrecision(6))
  return {
    coefficients: Array.from(parameters.slice(0, denseCount), rounded),
    intercept: rounded(parameters[interceptAt] ?? 0),
    stemScale,
    stems: Int8Array.from(stems, (value) => Math.round(value / stemScale)),
  }
}

interface Point {
  values: Float64Array
  stems: readonly number[]
  stem: number
  /** Place of the file's strictness among the parameters; null for a graded prompt. */
  strictness: number | null
  weight: number
  of: ScoredPrompt | GradedFeatures
}

function scalingOf({ scored, graded }: DifficultySamples) {
  const weightOf = fileWeights(scored)
  const all = [
    ...scored.map(({ values, file }) => ({ values, weight: weightOf(file) })),
    ...graded.map(({ values }) => ({ values, weight: 1 / graded.length })),
  ]
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  const meanOf = (valueOf: (values: Float64Array) => number) =>
    all.reduce((sum, { values, weight }) => sum + weight * valueOf(values), 0) / total
  const means = linearFeatureNames.map((_, at) => meanOf((values) => values[at] ?? 0))
  const deviations = linearFeatureNames.map((_, at) => {
    const variance = meanOf((values) => ((values[at] ?? 0) - (means[at] ?? 0)) ** 2)
    return Number(Math.max(1e-3, Math.sqrt(variance)).toPrecision(6))
  })
  return { means: means.map((value) => Number(value.toPrecision(6))), deviations }
}

function pointsOf(
  { scored, graded }: DifficultySamples,
  files: readonly string[],
  scaling: Pick<DifficultyWeights, 'means' | 'deviations'>,
): Point[] {
  const weightOf = fileWeights(scored)
  const common = ({ values, stems }: DifficultyFeatures) => ({
    values: values.slice(0, denseCount).map((value, at) => standardised(value, scaling, at)),
    stems: Array.from(stems, (stem) => denseCount + stem),
    stem: stemValue(stems.length),
  })
  return [
    ...scored.map((of) => ({
      ...common(of),
      strictness: interceptAt + 1 + files.indexOf(of.file),
      weight: weightOf(of.file),
      of,
    })),
    ...graded.map((of) => ({ ...common(of), strictness: null, weight: gradedWeight, of })),
  ]
}

/** The sum of the parameters that a prompt has, each times its value. */
function along(vector: Float64Array, { values, stems, stem, strictness }: Point): number {
  let sum = (vector[interceptAt] ?? 0) + (strictness === null ? 0 : (vector[strictness] ?? 0))
  for (let at = 0; at < values.length; at += 1) sum += (vector[at] ?? 0) * (values[at] ?? 0)
  let words = 0
  for (const at of stems) words += vector[at] ?? 0
  return sum + words * stem
}

function addTo(vector: Float64Array, { values, stems, stem, strictness }: Point, amount: number) {
  const add = (at: number, value: number) => {
    vector[at] = (vector[at] ?? 0) + value
  }
  add(interceptAt, amount)
  if (strictness !== null) add(strictness, amount)
  for (let at = 0; at < values.length; at += 1) add(at, amount * (values[at] ?? 0))
  for (const at of stems) add(at, amount * stem)
}

/** Derivatives of the loss by the parameters, and its second derivative by each prompt's difficulty. */
function slopesAt(parameters: Float64Array, points: readonly Point[]) {
  const gradient = parameters.map((value, at) => 2 * ridgeOf(at) * value)
  const curvatures = points.map((point) => {
    const difficulty = along(parameters, point)
    const { slope, curvature } = slopeOf(point.of, difficulty)
    addTo(gradient, point, point.weight * slope)
    return point.weight * curvature
  })
  return { gradient, curvatures }
}

function ridgeOf(parameter: number): number {
  if (parameter < denseCount) return denseRidge
  if (parameter < interceptAt) return stemRidge
  return parameter === interceptAt ? 0 : strictnessRidge
}

/** The Newton step by conjugate gradients, because the matrix of so many words is mostly empty. */
function solve(points: readonly Point[], curvatures: readonly number[], right: Float64Array) {
  const times = (vector: Float64Array) => {
    const product = vector.map((value, at) => 2 * ridgeOf(at) * value)
    for (const [index, point] of points.entries()) {
      addTo(product, point, (curvatures[index] ?? 0) * along(vector, point))
    }
    return product
  }
  const solution = new Float64Array(right.length)
  const rest = Float64Array.from(right)
  let direction = Float64Array.from(right)
  let square = dot(rest, rest)
  for (let step = 0; step < conjugateSteps && square > smallResidual ** 2; step += 1) {
    const product = times(direction)
    const length = square / dot(direction, product)
    for (let at = 0; at < right.length; at += 1) {
      solution[at] = (solution[at] ?? 0) + length * (direction[at] ?? 0)
      rest[at] = (rest[at] ?? 0) - length * (product[at] ?? 0)
    }
    const next = dot(rest, rest)
    direction = rest.map((value, at) => value + (next / square) * (direction[at] ?? 0))
    square = next
  }
  return solution
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}
