/** Derived ratings as training/ratings.json has them, for scripts/build-catalog.mjs. */
import { z } from 'zod'
import { effortRatingSchema, ratingSchema } from '../../src/service/catalog/rating.ts'

export type RatedEffort = z.output<typeof effortRatingSchema>

/** What one source says of a model at one effort. */
export type RatingPart = Omit<RatedEffort, 'effort' | 'outputRatio'>

const ratedSchema = z.strictObject({
  rating: ratingSchema,
  /** At most three efforts, from the source that rates the most; empty where none rates several. */
  efforts: z.array(effortRatingSchema).max(3),
})
export type Rated = z.output<typeof ratedSchema>

/** Ratings by the name of the weights. */
export const ratingsSchema = z.record(z.string(), ratedSchema)
export type Ratings = z.output<typeof ratingsSchema>
