/** The models of a file that have a price, and the cost and score of each prompt at each model. */
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { expectedCostNanoUsd } from '../../src/service/routing/expected-cost.ts'
import { candidate } from '../../test/routing/sample-candidates.ts'
import type { TokenPrice } from '../../src/shared/models/price.ts'
import type { Point } from './curve.ts'
import type { DataFile } from '../../training/reader/data-file.ts'
import { mean } from '../../training/reader/mean.ts'
import { priceOf } from './prices.ts'

export interface PoolRow {
  prompt: string
  label: string
  promptTokens: number
  /** Scores in the order of the pool's models. */
  scores: readonly number[]
  outputTokens: readonly number[]
  costsNanoUsd: readonly number[]
}

export interface Pool {
  name: string
  hash: string
  models: readonly PoolModel[]
  rows: readonly PoolRow[]
}

export interface PoolModel {
  name: string
  price: TokenPrice
}

/** The answer length if a file does not report it. */
const assumedOutputTokens = 250
/** A model belongs to the pool if it answered nearly all prompts. */
const leastCoverage = 0.99

/** @returns null if fewer than two of its models have a price, so that there is no choice */
export function poolOf(file: Extract<DataFile, { kind: 'models' }>): Pool | null {
  const names = new Set(file.rows.flatMap(({ scores }) => Object.keys(scores)))
  const models = [...names].toSorted().flatMap((name) => {
    const price = priceOf(file.name, name)
    const answered = file.rows.filter(({ scores }) => name in scores).length
    return price && answered >= leastCoverage * file.rows.length ? [{ name, price }] : []
  })
  if (models.length < 2) return null
  const rows = file.rows.flatMap((row) => {
    const scores = models.flatMap(({ name }) => row.scores[name] ?? [])
    if (scores.length < models.length) return []
    const outputTokens = models.map(({ name }) => row.outputTokens[name] ?? assumedOutputTokens)
    const costsNanoUsd = models.map(({ price }, index) =>
      expectedCostNanoUsd(price, {
        promptTokens: row.inputTokens,
        outputTokens: outputTokens[index] ?? 0,
      }),
    )
    const { prompt, label, inputTokens: promptTokens } = row
    return [{ prompt, label, promptTokens, scores, outputTokens, costsNanoUsd }]
  })
  return { name: file.name, hash: file.hash, models, rows }
}

/** The cost and score of each model on its own. */
export function singles(rows: readonly PoolRow[]): Point[] {
  const places = rows[0]?.scores ?? []
  return places.map((_, index) => ({
    cost: mean(rows.map(({ costsNanoUsd }) => costsNanoUsd[index] ?? 0)),
    quality: mean(rows.map(({ scores }) => scores[index] ?? 0)),
  }))
}

export function bestOf(points: readonly Point[]): Point {
  return points.reduce((best, point) => (point.quality > best.quality ? point : best))
}

/** A model of the pool as the router sees it: its price, and its points over all kinds of prompts. */
export function toCandidate(
  { name, price }: PoolModel,
  position: number,
  points: number,
): Candidate {
  return candidate({
    modelId: `bench:${name}`,
    position,
    price,
    contextTokens: null,
    maxOutputTokens: null,
    quality: { points, strength: 25, offsets: null, basis: 'rated' },
  })
}
