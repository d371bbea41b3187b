/** A model's published rating and those of its efforts, as the catalogue has them; `training/` derives them. */
import { z } from 'zod'
import { reasoningEfforts } from '../../shared/models/model-facts.ts'
import { topicNames } from '../../shared/routers/topics.ts'

export const effortRatingSchema = z.strictObject({
  effort: z.enum(reasoningEfforts).nullable(),
  points: z.number().min(0).max(5_000),
  halfWidth: z.number().positive(),
  strength: z.number().positive(),
  offsets: z.partialRecord(z.enum(topicNames), z.number().min(-5).max(5)),
  outputRatio: z.number().min(1).max(1_000),
  source: z.string().min(1).max(300),
  asOf: z.iso.date(),
})

export const ratingSchema = effortRatingSchema.extend({ basis: z.enum(['measured', 'sibling']) })
