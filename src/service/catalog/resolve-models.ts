/** What is known of each model a configured provider offers: the user's figures win over the catalogue's. */
import type { Model } from '../../shared/entities.ts'
import type { Catalog, CatalogModel } from './catalog.ts'

/** The part of the configuration that says which models there are. */
export interface ModelSources {
  providers: ReadonlyMap<string, { id: string; type: string }>
  /** The user's figures, by model id. */
  models: ReadonlyMap<string, UserModel>
  /** Provider id to the model names it listed when it was last tested. */
  listedModels: Readonly<Record<string, readonly string[]>>
}

/** As the storage keeps them; `ModelInput` without what was left out. */
interface UserModel {
  id: string
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  contextTokens: number
  maxOutputTokens?: number | undefined
  capabilities?: Model['capabilities'] | undefined
  quality?: number | undefined
  energyWhPerKtok?: number | undefined
  region?: string | undefined
}

/** By model id, `<provider>:<model_name>`, in the order of the providers. */
export function resolveModels(catalog: Catalog, sources: ModelSources): Map<string, Model> {
  const models = new Map<string, Model>()
  for (const { id, type } of sources.providers.values()) {
    for (const known of catalog.modelsOf(type)) {
      const model = fromCatalog(known, id)
      models.set(model.id, model)
    }
    for (const name of sources.listedModels[id] ?? []) {
      const modelId = `${id}:${name}`
      if (!models.has(modelId)) models.set(modelId, unknownModel(modelId, id))
    }
  }
  for (const user of sources.models.values()) {
    const providerId = user.id.slice(0, user.id.indexOf(':'))
    if (!sources.providers.has(providerId)) continue
    const base = models.get(user.id) ?? unknownModel(user.id, providerId)
    models.set(user.id, fromUser(user, base))
  }
  return models
}

/** A provider of the user's may have an id of its own: the catalogue knows it by its type. */
function fromCatalog(known: CatalogModel, providerId: string): Model {
  const name = known.id.slice(known.id.indexOf(':') + 1)
  return {
    id: `${providerId}:${name}`,
    providerId,
    inputUsdPerMtok: known.inputUsdPerMtok,
    outputUsdPerMtok: known.outputUsdPerMtok,
    cacheReadUsdPerMtok: known.cacheReadUsdPerMtok,
    cacheWriteUsdPerMtok: known.cacheWriteUsdPerMtok,
    contextTokens: known.contextTokens,
    maxOutputTokens: known.maxOutputTokens,
    capabilities: [...known.capabilities],
    quality: known.quality,
    energyWhPerKtok: known.energyWhPerKtok,
    region: known.region,
    priceSource: { kind: 'catalog', source: known.source, asOf: known.asOf },
  }
}

function unknownModel(id: string, providerId: string): Model {
  return {
    id,
    providerId,
    inputUsdPerMtok: null,
    outputUsdPerMtok: null,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    quality: null,
    energyWhPerKtok: null,
    region: null,
    priceSource: null,
  }
}

function fromUser(user: UserModel, base: Model): Model {
  return {
    ...base,
    inputUsdPerMtok: user.inputUsdPerMtok,
    outputUsdPerMtok: user.outputUsdPerMtok,
    // The user's price knows no cached tokens: they cost as input.
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    contextTokens: user.contextTokens,
    maxOutputTokens: user.maxOutputTokens ?? base.maxOutputTokens,
    capabilities: user.capabilities ?? base.capabilities,
    quality: user.quality ?? base.quality,
    energyWhPerKtok: user.energyWhPerKtok ?? base.energyWhPerKtok,
    region: user.region ?? base.region,
    priceSource: { kind: 'user' },
  }
}
