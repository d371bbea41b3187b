/** The facts about each model of a configured provider: the user's figures override the catalogue's. */
import { ownQualityStrength, type Model, type ModelInput } from '../../shared/entities.ts'
import {
  makesEmbeddings,
  type Capability,
  type ParameterRules,
} from '../../shared/models/model-abilities.ts'
import type { EmbeddingFacts, ModelRating } from '../../shared/models/model-facts.ts'
import { pointsOfQuality, qualityOfPoints } from '../../shared/models/quality-scale.ts'
import type { DatedPrice } from '../../shared/models/dated-price.ts'
import type { ApiHabits, Catalog, CatalogModel } from './catalog.ts'
import { withDatedPrices } from './dated-prices.ts'
import { localVectorsOf } from './local-vectors.ts'
import { catalogTypeOf, findCatalogModel, renamedModels } from './whose-models.ts'

/** The part of the configuration that determines the models. */
export interface ModelSources {
  providers: ReadonlyMap<string, { id: string; type: string; options: Options }>
  /** The user's figures, by model id. */
  models: ReadonlyMap<string, ModelInput>
  /** Provider id to the model names it listed when it was last tested. */
  listedModels: Readonly<Record<string, readonly string[]>>
  /** Prices that the user corrected from a date on. */
  datedPrices?: readonly DatedPrice[]
}

/** A provider's options, which may choose its wire. */
type Options = Readonly<Record<string, string>>

/** The capabilities of a model that its provider's wire cannot carry. @param name  the provider's own */
type CapabilitiesLost = (
  provider: { type: string; options: Options },
  name: string,
) => readonly Capability[]

/**
 * Models by id, `<provider>:<model_name>`, in the order of the providers.
 * @param capabilitiesLost  removed, whatever the models can do
 */
export function resolveModels(
  catalog: Catalog,
  sources: ModelSources,
  capabilitiesLost: CapabilitiesLost,
): Map<string, Model> {
  const models = new Map<string, Model>()
  for (const provider of sources.providers.values()) {
    const { id } = provider
    const type = catalogTypeOf(provider)
    const habits = catalog.habitsOf(type)
    const byAlias = new Map<string, CatalogModel>()
    for (const known of catalog.modelsOf(type)) {
      const modelId = `${id}:${known.id.slice(known.id.indexOf(':') + 1)}`
      models.set(modelId, fromCatalog(known, modelId, { providerId: id, habits }))
      for (const alias of known.aliases) byAlias.set(`${id}:${alias}`, known)
    }
    for (const [name, catalogId] of renamedModels(provider)) {
      const modelId = `${id}:${name}`
      const known = findCatalogModel(catalog, catalogId)
      if (known) models.set(modelId, fromCatalog(known, modelId, { providerId: id, habits }))
    }
    for (const name of sources.listedModels[id] ?? []) {
      const modelId = `${id}:${name}`
      if (models.has(modelId)) continue
      const known = byAlias.get(modelId)
      models.set(
        modelId,
        known
          ? fromCatalog(known, modelId, { providerId: id, habits })
          : unknownModel(modelId, id, habits),
      )
    }
  }
  for (const user of sources.models.values()) {
    const providerId = user.id.slice(0, user.id.indexOf(':'))
    const provider = sources.providers.get(providerId)
    if (!provider) continue
    const habits = catalog.habitsOf(catalogTypeOf(provider))
    const base = models.get(user.id) ?? unknownModel(user.id, providerId, habits)
    const own = fromUser(user, base)
    models.set(user.id, withVectors(own, catalogTypeOf(provider)))
  }
  correctPrices(models, sources.datedPrices ?? [])
  for (const model of models.values()) withdraw(model, { models, sources, capabilitiesLost })
  return models
}

function correctPrices(models: Map<string, Model>, prices: readonly DatedPrice[]): void {
  for (const id of new Set(prices.map(({ modelId }) => modelId))) {
    const model = models.get(id)
    if (model === undefined) continue
    const dated = prices.filter(({ modelId }) => modelId === id)
    models.set(id, { ...model, timedPrices: withDatedPrices(model, dated) })
  }
}

interface Withdrawal {
  models: Map<string, Model>
  sources: Pick<ModelSources, 'providers'>
  capabilitiesLost: CapabilitiesLost
}

function withdraw(model: Model, { models, sources, capabilitiesLost }: Withdrawal): void {
  const { id, providerId } = model
  const provider = sources.providers.get(providerId)
  const lost = provider ? capabilitiesLost(provider, id.slice(providerId.length + 1)) : []
  if (lost.length === 0) return
  const capabilities = model.capabilities.filter((each) => !lost.includes(each))
  models.set(id, { ...model, capabilities })
}

/** @param id  of a provider whose name may differ; the catalogue uses its type */
function fromCatalog(
  known: CatalogModel,
  id: string,
  { providerId, habits }: { providerId: string; habits: ApiHabits | null },
): Model {
  return {
    id,
    providerId,
    inputUsdPerMtok: known.inputUsdPerMtok,
    outputUsdPerMtok: known.outputUsdPerMtok,
    cacheReadUsdPerMtok: known.cacheReadUsdPerMtok,
    cacheWriteUsdPerMtok: known.cacheWriteUsdPerMtok,
    cacheWrite1hUsdPerMtok: known.cacheWrite1hUsdPerMtok,
    priceTiers: known.tiers,
    timedPrices: known.timed,
    contextTokens: known.contextTokens,
    maxOutputTokens: known.maxOutputTokens,
    capabilities: [...known.capabilities],
    embedding: embeddingOf(known),
    quality: known.rating && qualityOfPoints(known.rating.points),
    rating: known.rating,
    efforts: known.efforts,
    energyWhPerKtok: known.energyWhPerKtok,
    size: known.size,
    speed: known.speed,
    region: known.region,
    parameters: {
      ...rulesOf(habits, id),
      refuses: [...new Set([...known.refuses, ...(habits?.refuses ?? [])])],
      samplesWithoutReasoning: known.samplesWithoutReasoning,
    },
    priceSource: { kind: 'catalog', source: known.source, asOf: known.asOf },
  }
}

function embeddingOf({ embedding, weights }: CatalogModel): EmbeddingFacts | null {
  if (embedding === undefined || weights === null) return null
  const { dimensions, isShortenable } = embedding
  return { weights, dimensions, isShortenable }
}

function rulesOf(habits: ApiHabits | null, modelId: string): ParameterRules {
  return {
    refuses: habits?.refuses ?? [],
    samplesWithoutReasoning: false,
    sendsTemperature: habits?.sendsTemperature ?? !defaultsToOne.test(modelId),
  }
}

/** Models whose makers document 1 as the default temperature, wherever they run; some of them refuse the field. */
const defaultsToOne = /[:/.](claude|chatgpt|gpt-(?!oss)|o\d(-|$)|gemini)/

function unknownModel(id: string, providerId: string, habits: ApiHabits | null): Model {
  return {
    id,
    providerId,
    inputUsdPerMtok: null,
    outputUsdPerMtok: null,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    priceTiers: [],
    timedPrices: [],
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    quality: null,
    rating: null,
    efforts: [],
    energyWhPerKtok: null,
    size: null,
    speed: null,
    region: null,
    parameters: rulesOf(habits, id),
    priceSource: null,
  }
}

function fromUser(user: ModelInput, base: Model): Model {
  return {
    ...base,
    inputUsdPerMtok: user.inputUsdPerMtok,
    outputUsdPerMtok: user.outputUsdPerMtok,
    // The user's price has no cached tokens, which cost as input, and is the same at all times.
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    cacheWrite1hUsdPerMtok: null,
    priceTiers: [],
    timedPrices: [],
    contextTokens: user.contextTokens ?? base.contextTokens,
    maxOutputTokens: user.maxOutputTokens ?? base.maxOutputTokens,
    capabilities: user.capabilities ?? base.capabilities,
    ...(user.quality === undefined ? {} : ownQuality(user.quality, base.rating)),
    energyWhPerKtok: user.energyWhPerKtok ?? base.energyWhPerKtok,
    region: user.region ?? base.region,
    parameters: user.refuses
      ? { ...base.parameters, refuses: user.refuses, samplesWithoutReasoning: false }
      : base.parameters,
    priceSource: { kind: 'user' },
  }
}

function withVectors(model: Model, type: string): Model {
  if (!makesEmbeddings(model) || model.embedding) return model
  return { ...model, embedding: localVectorsOf(model.id, type) }
}

/** The user's figure as a rating. It counts like a source's, and does not distinguish topics and efforts. */
function ownQuality(
  quality: number,
  base: ModelRating | null,
): Pick<Model, 'quality' | 'rating' | 'efforts'> {
  const rating: ModelRating = {
    effort: base?.effort ?? null,
    points: pointsOfQuality(quality),
    halfWidth: null,
    strength: ownQualityStrength,
    offsets: {},
    outputRatio: base?.outputRatio ?? 1,
    source: null,
    asOf: null,
    basis: 'user',
  }
  return { quality, rating, efforts: [] }
}
