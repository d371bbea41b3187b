/**
 * The models this version of the program knows: what they cost, what they can do, what they draw.
 * `scripts/build-catalog.mjs` writes the file; a user's own figures win over it.
 */
import { z } from 'zod'
import catalogFile from '../../../resources/catalog.json' with { type: 'json' }
import type { CatalogState } from '../../shared/catalog.ts'
import { domainNames } from '../../shared/domains.ts'
import { modelIdSchema } from '../../shared/entities.ts'
import {
  capabilityNames,
  refusableParameters,
  type RefusableParameter,
} from '../../shared/model-abilities.ts'

/** Where a fact is from, and the day it was true. */
const provenance = { source: z.string().min(1), asOf: z.iso.date() }
const sourced = z.strictObject(provenance).nullable()

const usdPerMtok = z.number().min(0)
const priceRow = {
  inputUsdPerMtok: usdPerMtok,
  outputUsdPerMtok: usdPerMtok,
  cacheReadUsdPerMtok: usdPerMtok.nullable(),
  cacheWriteUsdPerMtok: usdPerMtok.nullable(),
}
const tokenPrice = {
  ...priceRow,
  /** For long prompts, shortest first. */
  tiers: z.array(z.strictObject({ fromPromptTokens: z.int().min(1), ...priceRow })),
}
const parameterRange = z
  .tuple([z.number().positive(), z.number().positive()])
  .refine(([min, max]) => min <= max, 'from the least to the most')
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
  /** At certain hours, or from a day on: the last one in force replaces the price above. */
  timed: z.array(timedPrice),
  /** Of the price. */
  ...provenance,
  contextTokens: z.int().min(1).nullable(),
  maxOutputTokens: z.int().min(1).nullable(),
  /** What a source says it can do; nothing is claimed where none does. */
  capabilities: z.array(z.enum(capabilityNames)),
  capabilitySource: sourced,
  /** Chance of an acceptable answer, 0 to 1; null where no source with a clean licence tells. */
  quality: z.number().min(0).max(1).nullable(),
  /** How many judged answers that is worth. */
  qualityStrength: z.number().positive().nullable(),
  qualitySource: sourced,
  /** Where a source tells the kinds of prompt apart. */
  qualityByDomain: z.partialRecord(z.enum(domainNames), z.number().min(0).max(1)),
  /** Watt-hours per thousand output tokens, where its size does not tell: on this computer. */
  energyWhPerKtok: z.number().min(0).nullable(),
  energySource: sourced,
  /** A range where somebody who knows has guessed. */
  size: z
    .strictObject({ activeBillions: parameterRange, totalBillions: parameterRange })
    .nullable(),
  sizeSource: sourced,
  speed: z
    .strictObject({ firstTokenMs: z.number().min(0), msPerToken: z.number().min(0) })
    .nullable(),
  speedSource: sourced,
  /** Parameters it answers with an error. */
  refuses: z.array(z.enum(refusableParameters)),
  /** With `reasoning_effort` "none" it takes `temperature` and `top_p` all the same. */
  samplesWithoutReasoning: z.boolean(),
  refusesSource: sourced,
  /** ISO 3166 three-letter code of where it runs. */
  region: z.string().length(3).nullable(),
})

/** What a provider's API does not take as OpenAI's does, whichever model is asked. */
export const catalogApiSchema = z.strictObject({
  type: z.string(),
  refuses: z.array(z.enum(refusableParameters)),
  /** An absent temperature is not 1 there. */
  sendsTemperature: z.boolean(),
  ...provenance,
})

/** Files of earlier versions call a model's speed `pace`. */
function renamePace(model: unknown): unknown {
  if (typeof model !== 'object' || model === null) return model
  if (!('pace' in model && 'paceSource' in model)) return model
  const { pace, paceSource, ...others } = model
  return { ...others, speed: pace, speedSource: paceSource }
}

/** The downloaded catalogue as it is stored in the data folder. */
export const downloadedCatalogSchema = z.strictObject({
  formatVersion: z.literal(1),
  /** UTC day of the download. */
  asOf: z.iso.date(),
  models: z.array(z.preprocess(renamePace, catalogModelSchema)),
})
export type DownloadedCatalog = z.output<typeof downloadedCatalogSchema>

const catalogSchema = z.strictObject({
  /** The day its prices were true. */
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
  /** What holds for all models of a provider type; null where nothing is known. */
  habitsOf(type: string): ApiHabits | null
  /** The models of a provider type, in the file's order; empty for a type it does not know. */
  modelsOf(type: string): readonly CatalogModel[]
}

/** The bundled catalogue, or the downloaded one in its place. */
export interface LiveCatalog extends Catalog {
  state(): CatalogState
  /** All models, in order. */
  models(): readonly CatalogModel[]
  bundledModels(): readonly CatalogModel[]
  /** What was downloaded before this program was built is older than what came with it: it is left. */
  use(downloaded: DownloadedCatalog | null): void
  /** Told after each change of what is in force. */
  onChange(listener: () => void): void
  /**
   * Adds a model of the user's own that answers in place of another of its provider type; null takes it
   * away again. The replaced model stays in the catalogue, so that routers with it stay valid.
   */
  replaceModel(replacement: ModelReplacement | null): void
  replacement(): ModelReplacement | null
}

export interface ModelReplacement {
  /** `<provider type>:<model_name>` */
  replacedId: string
  model: CatalogModel
}

/** @throws z.ZodError when the bundled file does not fit the schema, which a test rules out */
export function loadCatalog(): LiveCatalog {
  const bundled = catalogSchema.parse(catalogFile)
  const habits = new Map(bundled.apis.map((api) => [api.type, api]))
  const listeners: (() => void)[] = []
  let origin: CatalogState['origin'] = 'bundled'
  let current: Pick<typeof bundled, 'asOf' | 'models'> = bundled
  let byType = modelsByType(bundled.models)
  let replacement: ModelReplacement | null = null
  const changed = () => {
    byType = modelsByType(replacement ? [...current.models, replacement.model] : current.models)
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
      current = isNewer ? downloaded : bundled
      changed()
    },
    onChange: (listener) => void listeners.push(listener),
    replaceModel(next) {
      if (JSON.stringify(next) === JSON.stringify(replacement)) return
      replacement = next
      changed()
    },
    replacement: () => replacement,
  }
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
