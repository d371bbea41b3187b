/**
 * The models this version of the program knows: what they cost, what they can do, what they draw.
 * `scripts/build-catalog.mjs` writes the file; a user's own figures win over it.
 */
import { z } from 'zod'
import catalogFile from '../../../resources/catalog.json' with { type: 'json' }
import { capabilityNames, modelIdSchema } from '../../shared/entities.ts'

/** Where a fact is from, and the day it was true. */
const source = z.strictObject({ source: z.string().min(1), asOf: z.iso.date() })

const usdPerMtok = z.number().min(0)

export const catalogModelSchema = z.strictObject({
  /** `<provider type>:<model_name>` */
  id: modelIdSchema,
  inputUsdPerMtok: usdPerMtok,
  outputUsdPerMtok: usdPerMtok,
  cacheReadUsdPerMtok: usdPerMtok.nullable(),
  /** The price is the base of several: long prompts or peak hours cost more. */
  tiered: z.boolean(),
  priceSource: source,
  contextTokens: z.int().min(1).nullable(),
  maxOutputTokens: z.int().min(1).nullable(),
  /** What a source says it can do; nothing is claimed where none does. */
  capabilities: z.array(z.enum(capabilityNames)),
  capabilitySource: source.nullable(),
  /** 0 to 1; null until a source with a clean licence gives one. */
  quality: z.number().min(0).max(1).nullable(),
  /** Watt-hours per thousand output tokens; null where the model's size is not published. */
  energyWhPerKtok: z.number().min(0).nullable(),
  energySource: source.nullable(),
  /** ISO 3166 three-letter code of where it runs. */
  region: z.string().length(3).nullable(),
})

export type CatalogModel = Readonly<z.output<typeof catalogModelSchema>>
/** By id, in the file's order. */
export type Catalog = ReadonlyMap<string, CatalogModel>

/** @throws z.ZodError when the file does not fit the schema, which a test rules out */
export function loadCatalog(): Catalog {
  const { models } = z.strictObject({ models: z.array(catalogModelSchema) }).parse(catalogFile)
  return new Map(models.map((model) => [model.id, model]))
}
