/** Derived ratings as they are stored: with the program, and with a downloaded catalogue. */
import { z } from 'zod'
import ratingsFile from '../../../../resources/ratings.json' with { type: 'json' }
import { reasoningEfforts } from '../../../shared/model-facts.ts'
import { topicNames } from '../../../shared/topics.ts'

const effortSchema = z.enum(reasoningEfforts).nullable()
const offsetsSchema = z.partialRecord(z.enum(topicNames), z.number().min(-5).max(5))
const provenance = { source: z.string().min(1).max(300), asOf: z.iso.date() }
const pointsSchema = z.number().min(0).max(5_000)

export const effortRatingSchema = z.strictObject({
  effort: effortSchema,
  points: pointsSchema,
  halfWidth: z.number().positive(),
  strength: z.number().positive(),
  offsets: offsetsSchema,
  outputRatio: z.number().min(1).max(1_000),
  ...provenance,
})
export type RatedEffort = z.output<typeof effortRatingSchema>
export const ratingSchema = effortRatingSchema.extend({ basis: z.enum(['measured', 'sibling']) })
export type PublicRating = z.output<typeof ratingSchema>

/** What one source says of a model at the effort that its provider uses by default. */
const partSchema = z.strictObject({
  points: pointsSchema,
  halfWidth: z.number().positive(),
  strength: z.number().positive(),
  offsets: offsetsSchema,
  ...provenance,
})
export type RatingPart = z.output<typeof partSchema>

const ratedSchema = z.strictObject({
  rating: ratingSchema,
  /** At most three, from the source that rates the most; empty where none rates several. */
  efforts: z.array(effortRatingSchema).max(3),
  arena: partSchema.nullable(),
  liveBench: partSchema.nullable(),
})
export type Rated = z.output<typeof ratedSchema>

export const ratingsSchema = z.strictObject({
  /** LiveBench's scores as points, by release, newest first. */
  lines: z.array(
    z.strictObject({
      release: z.iso.date(),
      intercept: z.number(),
      slope: z.number(),
      residual: z.number().min(0),
      pairs: z.int().min(0),
    }),
  ),
  /** What an effort adds to the one before it, in points. */
  steps: z.array(
    z.strictObject({
      from: z.enum(reasoningEfforts),
      to: z.enum(reasoningEfforts),
      points: z.number(),
      spread: z.number().min(0),
      pairs: z.int().min(0),
    }),
  ),
  /** The usual output ratio at `xhigh`, for models whose tokens no source counts. */
  usualRatio: z.number().min(1),
  /** By the name of the weights. */
  models: z.record(z.string(), ratedSchema),
})
export type Ratings = z.output<typeof ratingsSchema>

/**
 * The ratings that came with the program. Read only when newer ones are derived.
 * @throws z.ZodError when the bundled file does not fit the schema, which a test rules out
 */
export function bundledRatings(): Ratings {
  return ratingsSchema.parse(ratingsFile)
}
