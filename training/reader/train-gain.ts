/**
 * The gain head's training: of many models on many prompts, how much better the top quarter of them does
 * than the next quarter, which are the two a person would choose between. The mean of each kind of prompt
 * is taken out: what differs between kinds is the topic tables' business and does not carry over.
 */
import { denseFeatureNames } from '../../src/service/routing/prompt/dense-feature-names.ts'
import { readFeatures } from '../../src/service/routing/prompt/prompt-features.ts'
import { standardised } from '../../src/service/routing/prompt/gain-head.ts'
import type { GainWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import type { DataFile, PromptRow } from './data-file.ts'
import { mean } from './mean.ts'
import { questionStem } from './question-stem.ts'
import { solveSymmetric } from '../../src/service/routing/solve-symmetric.ts'

export interface GainSample {
  dense: Float64Array
  /** -1 to 1. */
  gain: number
  source: string
  kind: string
}

/** Strength in units of the features' variance; strong, because a prompt says little of its gain. */
const ridge = 8
/** A model counts where it answered nearly all prompts. */
const leastCoverage = 0.95
/** Names of both models of the public pair on which the head is tested. */
const pairModels = /mixtral-8x7b|gpt-4-/i
/** Kinds whose prompts are the ones that pair was asked. */
const pairLabels: ReadonlySet<string> = new Set(['mmlu', 'gsm', 'gsm8k', 'agentverse-mgsm'])

/** Samples from files of many models, without any prompt that is also in a file of a pair. */
export function gainSamples(files: readonly DataFile[]): GainSample[] {
  const tested = new Set(
    files.flatMap((file) =>
      file.kind === 'pair' ? file.rows.map(({ prompt }) => questionStem(prompt)) : [],
    ),
  )
  return files.flatMap((file) => {
    if (file.kind === 'pair') return []
    const rows = file.rows.filter(
      ({ prompt, label }) => !pairLabels.has(label) && !tested.has(questionStem(prompt)),
    )
    const gainOf = gainIn(rows)
    return rows.map((row) => ({
      dense: readFeatures({ lastUser: row.prompt, system: '' }).dense,
      gain: gainOf(row),
      source: file.name,
      kind: row.label,
    }))
  })
}

export function trainGain(samples: readonly GainSample[]): GainWeights {
  const weightOf = sourceWeights(samples)
  const scaling = scalingOf(samples, weightOf)
  const points = samples.map(({ dense, gain, source, kind }) => ({
    features: Array.from(dense, (value, index) => standardised(value, scaling, index)),
    gain,
    weight: weightOf(source),
    group: `${source}\n${kind}`,
  }))
  const centred = withoutGroupMeans(points)
  const direction = regress(centred)
  // The ridge shrinks the direction's length to almost nothing: it is put right by one more regression.
  const scores = centred.map(({ features }) => dot(features, direction))
  const along = weightedSum(centred, (point, index) => point.gain * (scores[index] ?? 0))
  const length = along / weightedSum(centred, (_, index) => (scores[index] ?? 0) ** 2)
  const coefficients = direction.map((value) => Number((value * length).toFixed(6)))
  const intercept = meanOf(points, (point) => point.gain - dot(point.features, coefficients))
  return { ...scaling, coefficients, intercept: Number(intercept.toFixed(6)) }
}

function gainIn(rows: readonly PromptRow[]): (row: PromptRow) => number {
  const models = [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))]
  const scored = models.flatMap((model) => {
    const scores = rows.flatMap((row) => row.scores[model] ?? [])
    const counts = !pairModels.test(model) && scores.length >= leastCoverage * rows.length
    return counts ? [{ model, accuracy: mean(scores) }] : []
  })
  const best = scored.toSorted((a, b) => b.accuracy - a.accuracy).map(({ model }) => model)
  const quarter = Math.ceil(best.length / 4)
  const strong = best.slice(0, quarter)
  const weak = best.slice(quarter, Math.ceil(best.length / 2))
  const meanScore = (row: PromptRow, of: readonly string[]) =>
    mean(of.map((model) => row.scores[model] ?? 0))
  return (row) => meanScore(row, strong) - meanScore(row, weak)
}

/** A source with more prompts weighs more, but as the square root of how many. */
function sourceWeights(samples: readonly GainSample[]): (source: string) => number {
  const counts = new Map<string, number>()
  for (const { source } of samples) counts.set(source, (counts.get(source) ?? 0) + 1)
  return (source) => 1 / Math.sqrt(counts.get(source) ?? 1)
}

function scalingOf(samples: readonly GainSample[], weightOf: (source: string) => number) {
  const weighted = samples.map(({ dense, source }) => ({ dense, weight: weightOf(source) }))
  const means = denseFeatureNames.map((_, index) => meanOf(weighted, (s) => s.dense[index] ?? 0))
  const deviations = denseFeatureNames.map((_, index) => {
    const variance = meanOf(weighted, (s) => ((s.dense[index] ?? 0) - (means[index] ?? 0)) ** 2)
    return Number(Math.max(1e-6, Math.sqrt(variance)).toPrecision(6))
  })
  return { means: means.map((value) => Number(value.toPrecision(6))), deviations }
}

interface Point {
  features: number[]
  gain: number
  weight: number
  group: string
}

function withoutGroupMeans(points: readonly Point[]): Point[] {
  const groups = new Map<string, Point[]>()
  for (const point of points) {
    const group = groups.get(point.group) ?? []
    group.push(point)
    groups.set(point.group, group)
  }
  return [...groups.values()].flatMap((group) => {
    const centre = denseFeatureNames.map((_, index) =>
      mean(group.map((p) => p.features[index] ?? 0)),
    )
    const gain = mean(group.map((point) => point.gain))
    return group.map((point) => ({
      ...point,
      features: point.features.map((value, index) => value - (centre[index] ?? 0)),
      gain: point.gain - gain,
    }))
  })
}

function regress(points: readonly Point[]): number[] {
  const total = weightedSum(points, () => 1)
  const matrix = denseFeatureNames.map((_, row) =>
    denseFeatureNames.map((__, column) => {
      const product = weightedSum(
        points,
        ({ features }) => (features[row] ?? 0) * (features[column] ?? 0),
      )
      return product + (row === column ? ridge * total : 0)
    }),
  )
  const right = denseFeatureNames.map((_, row) =>
    weightedSum(points, ({ features, gain }) => (features[row] ?? 0) * gain),
  )
  return solveSymmetric(matrix, right)
}

function weightedSum<P extends { weight: number }>(
  points: readonly P[],
  valueOf: (point: P, index: number) => number,
): number {
  return points.reduce((sum, point, index) => sum + point.weight * valueOf(point, index), 0)
}

function meanOf<P extends { weight: number }>(
  points: readonly P[],
  valueOf: (point: P) => number,
): number {
  return weightedSum(points, valueOf) / weightedSum(points, () => 1)
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
