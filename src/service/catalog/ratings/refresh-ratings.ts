/** Newer ratings in a catalogue, and what they change. */
import type { RatingChange } from '../../../shared/catalog.ts'
import type { CatalogModel } from '../catalog.ts'
import type { ArenaTable } from './arena.ts'
import { indexSource } from './listings.ts'
import { ratedModels } from './rated-models.ts'
import type { PublicRating, Ratings } from './ratings.ts'

/** A newer leaderboard lists at least so many of the models that it rated before; it retires few. */
const leastListed = 0.9

/**
 * Whether the leaderboard is older than the one in use: it lists too few of the models. Its file has no date.
 */
export function isOlder({ overall }: ArenaTable, present: Ratings): boolean {
  const index = indexSource(overall)
  const rated = Object.entries(present.models).flatMap(([weights, { rating, arena }]) => {
    const model = ratedModels[weights]
    return model && arena && rating.basis === 'measured' ? [model] : []
  })
  const listed = rated.filter((model) => index.listingsOf(model).length > 0)
  return listed.length < rated.length * leastListed
}

/** The models with these ratings. A model without a name of its weights stays as it is. */
export function withRatings(models: readonly CatalogModel[], ratings: Ratings): CatalogModel[] {
  return models.map((model) => {
    const rated = model.weights === null ? undefined : ratings.models[model.weights]
    return rated ? { ...model, rating: rated.rating, efforts: rated.efforts } : model
  })
}

/** Offsets follow from the same figures. */
function isChanged(before: PublicRating, after: PublicRating): boolean {
  const { points, halfWidth, strength, effort, outputRatio, source } = before
  return (
    points !== after.points ||
    halfWidth !== after.halfWidth ||
    strength !== after.strength ||
    effort !== after.effort ||
    outputRatio !== after.outputRatio ||
    source !== after.source
  )
}

/** Each model once, however many providers offer it; the largest changes first. */
export function ratingChanges(
  before: readonly CatalogModel[],
  after: readonly CatalogModel[],
): RatingChange[] {
  const previous = new Map(before.map(({ weights, rating }) => [weights, rating]))
  const changes = new Map<string, RatingChange>()
  for (const { weights, rating } of after) {
    if (weights === null || rating === null) continue
    const was = previous.get(weights) ?? null
    if (was !== null && !isChanged(was, rating)) continue
    changes.set(weights, { model: weights, before: was?.points ?? null, after: rating.points })
  }
  const size = (change: RatingChange) => Math.abs(change.after - (change.before ?? 0))
  return [...changes.values()].toSorted((a, b) => size(b) - size(a))
}
