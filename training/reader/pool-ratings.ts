/**
 * Public ratings of the models in the data files, as the program has them of today's models: derived by
 * `node bench/build-pool-ratings.ts`, before the files were asked. No answer of a file is in them.
 */
import type { QualityPrior } from '../../src/service/routing/candidate.ts'
import { unratedQuality } from '../../src/service/routing/unrated-quality.ts'
import type { TokenPrice } from '../../src/shared/models/price.ts'
import { topicNames, type Topic } from '../../src/shared/routers/topics.ts'
import ratingsFile from '../pool-ratings.json' with { type: 'json' }

export interface PoolRating {
  points: number
  /** Offsets in logits, by topic; absent where no source tells it apart. */
  offsets: Partial<Record<Topic, number>>
}

type Ratings = Readonly<Record<string, Readonly<Record<string, PoolRating>>>>
const byFile: Ratings = ratingsFile.models

/** Rating in the file itself, or else in any file: names mean the same everywhere. Null for an unrated model. */
export function poolRating(file: string, model: string): PoolRating | null {
  const [, own] = Object.entries(byFile).find(([start]) => file.startsWith(start)) ?? []
  if (own) return own[model] ?? null
  return Object.values(byFile).find((models) => model in models)?.[model] ?? null
}

/** Points, and offsets in the order of `topicNames`; from its price for an unrated model. */
export function ratedAs(
  file: string,
  { name, price }: { name: string; price: TokenPrice },
): QualityPrior {
  const rating = poolRating(file, name)
  if (rating === null) return unratedQuality(price)
  const offsets = topicNames.map((topic) => rating.offsets[topic] ?? 0)
  return { points: rating.points, strength: 25, offsets, basis: 'rated' }
}
