/** A user's price of a model from a moment on: a correction of the catalogue's, which stays in force before it. */
import { z } from 'zod'
import { greatestUsdPerMtok, modelIdSchema } from '../entities.ts'
import { latestTimeMs } from '../requests/search.ts'

const price = z.number().min(0).max(greatestUsdPerMtok)

export const datedPriceNameSchema = z.strictObject({
  modelId: modelIdSchema,
  /** Unix ms from which it applies. */
  fromMs: z.int().min(0).max(latestTimeMs),
})
export type DatedPriceName = z.output<typeof datedPriceNameSchema>

/** US dollars per million tokens. Null: tokens of a cache cost as much as input, or as those of the shorter time. */
export const datedPriceSchema = z.strictObject({
  ...datedPriceNameSchema.shape,
  inputUsdPerMtok: price,
  outputUsdPerMtok: price,
  cacheReadUsdPerMtok: price.nullable(),
  cacheWriteUsdPerMtok: price.nullable(),
  cacheWrite1hUsdPerMtok: price.nullable(),
})
export type DatedPrice = z.output<typeof datedPriceSchema>
