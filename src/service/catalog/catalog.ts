/**
 * The models that this version of Modelport knows, with their prices, abilities and energy use.
 * `scripts/build-catalog.mjs` writes the file; the user's own figures override it.
 */
import { z } from 'zod'
import catalogFile from '../../../resources/catalog.json' with { type: 'json' }
import type { CatalogState } from '../../shared/models/catalog.ts'
import { modelIdSchema } from '../../shared/entities.ts'
import {
  capabilityNames,
  refusableParameters,
  type RefusableParameter,
} from '../../shared/models/model-abilities.ts'
import { effortRatingSchema, ratingSchema } from './rating.ts'

/** The source of a fact and its date. */
const provenance = { source: z.string().min(1), asOf: z.iso.date() }
const sourced = z.strictObject(provenance).nullable()

const usdPerMtok = z.number().min(0)
const priceRow = {
  inputUsdPerMtok: usdPerMtok,
  outputUsdPerMtok: usdPerMtok,
  cacheReadUsdPerMtok: usdPerMtok.nullable(),
  cacheWriteUsdPerMtok: usdPerMtok.nullable(),
  /** Absent where an hour costs no more. */
  cacheWrite1hUsdPerMtok: usdPerMtok.optional(),
}
const tokenPrice = {
  ...priceRow,
  /** Prices for long prompts, shortest first. */
  tiers: z.array(z.strictObject({ fromPromptTokens: z.int().min(1), ...priceRow })),
}
const parameterRange = z
  .tuple([z.number().positive(), z.number().positive()])
  .refine(([min, max]) => min <= max, 'the minimum comes first')
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const timedPrice = z.strictObject({
  startsAtMs: z.int().nullable(),
  hoursUtc: z.strictObject({ from: timeOfDay, until: timeOfDay }).nullable(),
  ...tokenPrice,
})

export const catalogModelSchema = z.strictObject({
  /** `<provider type>:<model_name>` */
  id: modelIdSchema,
  /** Names of the same model at the same price: dated snapshots. */
  aliases: z.array(z.string().min(1)),
  ...tokenPrice,
  /** Prices at certain hours or from a day on: the last one in force replaces the price above. */
  timed: z.array(timedPrice),
  /** The source of the price. */
  ...provenance,
  contextTokens: z.int().min(1).nullable(),
  maxOutputTokens: z.int().min(1).nullable(),
  /** Abilities that a source states; empty without a source. */
  capabilities: z.array(z.enum(capabilityNames)),
  capabilitySource: sourced,
  /** The vectors of a model that makes embeddings; absent for others. */
  embedding: z
    .strictObject({ dimensions: z.int().min(1), isShortenable: z.boolean(), ...provenance })
    .optional(),
  /** The name of the same weights at every provider; null for a model that a download added. */
  weights: z.string().min(1).nullable(),
  /** Null when no source rates the model or a similar one. */
  rating: ratingSchema.nullable(),
  /** Ratings of up to three reasoning efforts, where one source rates several. */
  efforts: z.array(effortRatingSchema).max(3),
  /** Watt-hours per thousand output tokens on this computer; only where the size does not determine it. */
  energyWhPerKtok: z.number().min(0).nullable(),
  energySource: sourced,
  /** A range if the size is an expert's guess. */
  size: z
    .strictObject({ activeBillions: parameterRange, totalBillions: parameterRange })
    .nullable(),
  sizeSource: sourced,
  speed: z
    .strictObject({ firstTokenMs: z.number().min(0), msPerToken: z.number().min(0) })
    .nullable(),
  speedSource: sourced,
  /** Parameters that the model answers with an error. */
  refuses: z.array(z.enum(refusableParameters)),
  /** True if the model still accepts `temperature` and `top_p` with `reasoning_effort` "none". */
  samplesWithoutReasoning: z.boolean(),
  refusesSource: sourced,
  /** ISO 3166 three-letter code of its location. */
  region: z.string().length(3).nullable(),
})

/** Differences of a provider's API from OpenAI's, for all its models. */
export const catalogApiSchema = z.strictObject({
  type: z.string(),
  refuses: z.array(z.enum(refusableParameters)),
  /** Whether an absent temperature may mean something other than 1. */
  sendsTemperature: z.boolean(),
  ...provenance,
})

/** A model in a download, without ratings, which come with the program. */
export const downloadedModelSchema = z
  .object(catalogModelSchema.shape)
  .omit({ weights: true, rating: true, efforts: true })
export type DownloadedModel = Readonly<z.output<typeof downloadedModelSchema>>

/** The downloaded catalogue as it is stored in the data folder or in PostgreSQL. */
export const downloadedCatalogSchema = z.object({
  formatVersion: z.literal(1),
  /** UTC day of the download. */
  asOf: z.iso.date(),
  models: z.array(downloadedModelSchema),
})
export type DownloadedCatalog = z.output<typeof downloadedCatalogSchema>

/** @throws SyntaxError, z.ZodError when it is damaged or of a newer version */
export function parseDownloadedCatalog(text: string): DownloadedCatalog {
  return downloadedCatalogSchema.parse(JSON.parse(text))
}

const catalogSchema = z.strictObject({
  /** The date of its prices. */
  asOf: z.iso.date(),
  apis: z.array(catalogApiSchema),
  models: z.array(catalogModelSchema),
})

export interface ApiHabits {
  refuses: readonly RefusableParameter[]
  sendsTemperature: boolean
}

export type CatalogModel = Readonly<z.output<typeof catalogModelSchema>>
export interface Catalog {
  /** Facts about all models of a provider type; null if nothing is known. */
  habitsOf(type: string): ApiHabits | null
  /** The models of a provider type, in the file's order; empty for an unknown type. */
  modelsOf(type: string): readonly CatalogModel[]
}

/** The bundled catalogue, or the downloaded one in its place. */
export interface LiveCatalog extends Catalog {
  state(): CatalogState
  /** All models, in order. */
  models(): readonly CatalogModel[]
  bundledModels(): readonly CatalogModel[]
  /** Ignores a catalogue downloaded before this program was built, because the bundled one is newer. */
  use(downloaded: DownloadedCatalog | null): void
  /** Called after each change of the catalogue in use. */
  onChange(listener: () => void): void
  /**
   * Adds a model of the user's own that answers in place of another of its provider type; null removes it.
   * The replaced model stays in the catalogue, so that routers with it stay valid.
   */
  replaceModel(replacement: ModelReplacement | null): void
  replacement(): ModelReplacement | null
  /** Sets the models on this computer that are neither bundled nor downloaded with a catalogue. */
  setLocalModels(models: readonly CatalogModel[]): void
}

export interface ModelReplacement {
  /** `<provider type>:<model_name>` */
  replacedId: string
  model: CatalogModel
}

let bundledCatalog: z.output<typeof catalogSchema> | undefined

/** @throws z.ZodError when the bundled file does not fit the schema, which a test rules out */
export function loadCatalog(): LiveCatalog {
  const bundled = (bundledCatalog ??= catalogSchema.parse(catalogFile))
  const habits = new Map(bundled.apis.map((api) => [api.type, api]))
  const listeners: (() => void)[] = []
  let origin: CatalogState['origin'] = 'bundled'
  let current: Pick<typeof bundled, 'asOf' | 'models'> = bundled
  let byType = modelsByType(bundled.models)
  let replacement: ModelReplacement | null = null
  let localModels: readonly CatalogModel[] = []
  const changed = () => {
    const replacing = replacement ? [replacement.model] : []
    byType = modelsByType([...current.models, ...localModels, ...replacing])
    for (const listener of listeners) listener()
  }
  return {
    habitsOf: (type) => habits.get(type) ?? null,
    modelsOf: (type) => byType.get(type) ?? [],
    state: () => ({ origin, asOf: current.asOf, models: current.models.length }),
    models: () => current.models,
    bundledModels: () => bundled.models,
    use(downloaded) {
      const isNewer = downloaded !== null && downloaded.asOf >= bundled.asOf
      origin = isNewer ? 'downloaded' : 'bundled'
      current = isNewer ? completed(downloaded, bundled.models) : bundled
      changed()
    },
    onChange: (listener) => void listeners.push(listener),
    replaceModel(next) {
      if (JSON.stringify(next) === JSON.stringify(replacement)) return
      replacement = next
      changed()
    },
    replacement: () => replacement,
    setLocalModels(models) {
      if (JSON.stringify(models) === JSON.stringify(localModels)) return
      localModels = models
      changed()
    },
  }
}

/** Adds the ratings that came with the program, and the models that the download does not have yet. */
function completed(
  { asOf, models }: DownloadedCatalog,
  bundled: readonly CatalogModel[],
): { asOf: string; models: CatalogModel[] } {
  const bundledById = new Map(bundled.map((model) => [model.id, model]))
  const rated = models.map((model) => {
    const { weights = null, rating = null, efforts = [] } = bundledById.get(model.id) ?? {}
    return { ...model, weights, rating, efforts }
  })
  const known = new Set(models.map(({ id }) => id))
  return { asOf, models: [...rated, ...bundled.filter(({ id }) => !known.has(id))] }
}

function modelsByType(models: readonly CatalogModel[]): Map<string, CatalogModel[]> {
  const byType = new Map<string, CatalogModel[]>()
  for (const model of models) {
    const type = model.id.slice(0, model.id.indexOf(':'))
    const ofType = byType.get(type)
    if (ofType) ofType.push(model)
    else byType.set(type, [model])
  }
  return byType
}
