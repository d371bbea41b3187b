/** Builds a newer catalogue from today's published sources, and compares it with the current one. */
import type { CatalogChange } from '../../shared/models/catalog.ts'
import { makesEmbeddings, type Capability } from '../../shared/models/model-abilities.ts'
import { downloadedModelSchema, type DownloadedModel } from './catalog.ts'
import type {
  PricedOffer,
  PublishedPrice,
  PublishedPrices,
  PublishedRow,
} from './sources/genai-prices.ts'
import type { PublishedFacts, PublishedModels } from './sources/models-dev.ts'

export interface PublishedData {
  prices: PublishedPrices
  models: PublishedModels
  /** The provider types whose models are looked up. */
  types: readonly string[]
  /** UTC day of the download, `YYYY-MM-DD`. */
  asOf: string
}

const pricesSource = 'genai-prices (MIT), downloaded'
const modelsSource = 'models.dev (MIT), downloaded'
/** OpenAI's models that answer only through its Responses API. */
const otherApi = /^gpt-6|-pro(-|$)|codex|deep-research|computer-use/
const samplingParameters = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
] as const
/** Far more than any source publishes; limits how many models a source can add to the window. */
const greatestNewModels = 2_000

/**
 * @param bundled  the catalogue of the program: its sizes and refusals stay
 * @returns its models with today's prices, limits and abilities, and the new models
 */
export function updateModels(
  bundled: readonly DownloadedModel[],
  published: PublishedData,
): DownloadedModel[] {
  const updated = bundled.map((model) => updateModel(model, published))
  return [...updated, ...newModels(bundled, published).slice(0, greatestNewModels)]
}

/** The differences between two catalogues, more expensive models first. */
export function catalogChanges(
  before: readonly DownloadedModel[],
  after: readonly DownloadedModel[],
): CatalogChange[] {
  const known = new Map(before.map((model) => [model.id, model]))
  const changes = after.flatMap((model) => changeOf(known.get(model.id) ?? null, model) ?? [])
  const order = ['dearer', 'cheaper', 'changed', 'new']
  return changes.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function changeOf(before: DownloadedModel | null, after: DownloadedModel): CatalogChange | null {
  const kind = before === null ? 'new' : kindOfChange(before, after)
  if (kind === null) return null
  return { modelId: after.id, kind, before: before && basePrice(before), after: basePrice(after) }
}

function kindOfChange(
  before: DownloadedModel,
  after: DownloadedModel,
): CatalogChange['kind'] | null {
  const was = before.inputUsdPerMtok + before.outputUsdPerMtok
  const is = after.inputUsdPerMtok + after.outputUsdPerMtok
  if (is !== was) return is > was ? 'dearer' : 'cheaper'
  return JSON.stringify(comparable(before)) === JSON.stringify(comparable(after)) ? null : 'changed'
}

/** The fields of a downloaded model, without the source and date. */
function comparable(model: DownloadedModel) {
  const {
    source: _source,
    asOf: _asOf,
    capabilitySource: _from,
    ...facts
  } = downloadedModelSchema.parse(model)
  return { ...facts, capabilities: facts.capabilities.toSorted() }
}

function basePrice({ inputUsdPerMtok, outputUsdPerMtok }: DownloadedModel) {
  return { inputUsdPerMtok, outputUsdPerMtok }
}

function split(id: string): [type: string, name: string] {
  const colon = id.indexOf(':')
  return [id.slice(0, colon), id.slice(colon + 1)]
}

function updateModel(
  model: DownloadedModel,
  { prices, models, types, asOf }: PublishedData,
): DownloadedModel {
  const [type, name] = split(model.id)
  if (!types.includes(type)) return model
  const facts = models.modelsOf(type).get(name) ?? null
  return {
    ...model,
    ...priceFields(model, { offer: prices.offerOf(type, name), facts, asOf }),
    ...(facts && factFields(model, facts, asOf)),
    // Embeddings have no output, whatever a source says of its price.
    ...(makesEmbeddings(model) && { outputUsdPerMtok: 0 }),
  }
}

interface PriceSources {
  offer: PricedOffer | null
  facts: PublishedFacts | null
  asOf: string
}

function priceFields(
  model: DownloadedModel | null,
  { offer, facts, asOf }: PriceSources,
): (PublishedPrice & { source: string; asOf: string; aliases?: string[] }) | null {
  if (offer) {
    const { price, aliases } = offer
    return { ...withHourlyWrites(model, price), aliases, source: pricesSource, asOf }
  }
  const price = facts?.price
  if (!price) return null
  const tiers = price.tiers.length > 0 || !model ? price.tiers : keptTiers(model, price)
  return { ...withHourlyWrites(model, { ...price, tiers }), source: modelsSource, asOf }
}

function withHourlyWrites(model: DownloadedModel | null, price: PublishedPrice): PublishedPrice {
  const tiers = price.tiers.map((tier) => ({ ...tier, ...unstatedWrites(model, tier) }))
  return { ...price, tiers, ...unstatedWrites(model, price) }
}

/** The price of an hour in the cache stays in proportion to that of input where a source does not state it. */
function unstatedWrites(
  model: DownloadedModel | null,
  { inputUsdPerMtok, cacheWrite1hUsdPerMtok }: PublishedRow,
): { cacheWrite1hUsdPerMtok?: number } {
  const known = model?.cacheWrite1hUsdPerMtok
  const isUnknown = !model?.inputUsdPerMtok || known === undefined
  if (isUnknown || cacheWrite1hUsdPerMtok !== undefined) return {}
  return { cacheWrite1hUsdPerMtok: (known * inputUsdPerMtok) / model.inputUsdPerMtok }
}

/** The tiers for long prompts stay in proportion to the price: models.dev does not have those of every model. */
function keptTiers(model: DownloadedModel, price: PublishedPrice): PublishedPrice['tiers'] {
  if (model.inputUsdPerMtok === 0 || model.outputUsdPerMtok === 0) return []
  const input = price.inputUsdPerMtok / model.inputUsdPerMtok
  const output = price.outputUsdPerMtok / model.outputUsdPerMtok
  return model.tiers.map(({ fromPromptTokens, ...row }) => ({
    fromPromptTokens,
    inputUsdPerMtok: row.inputUsdPerMtok * input,
    outputUsdPerMtok: row.outputUsdPerMtok * output,
    cacheReadUsdPerMtok: row.cacheReadUsdPerMtok && row.cacheReadUsdPerMtok * input,
    cacheWriteUsdPerMtok: row.cacheWriteUsdPerMtok && row.cacheWriteUsdPerMtok * input,
    ...(row.cacheWrite1hUsdPerMtok !== undefined && {
      cacheWrite1hUsdPerMtok: row.cacheWrite1hUsdPerMtok * input,
    }),
  }))
}

function factFields(model: DownloadedModel, facts: PublishedFacts, asOf: string) {
  return {
    contextTokens: facts.contextTokens ?? model.contextTokens,
    maxOutputTokens: facts.maxOutputTokens ?? model.maxOutputTokens,
    capabilities: capabilitiesOf(model.capabilities, facts.abilities),
    capabilitySource: { source: modelsSource, asOf },
  }
}

/** Facts the source states replace the old ones; the others stay. */
function capabilitiesOf(
  known: readonly Capability[],
  abilities: ReadonlyMap<Capability, boolean>,
): Capability[] {
  const kept = known.filter((capability) => abilities.get(capability) !== false)
  const added = [...abilities].flatMap(([capability, has]) => (has ? capability : []))
  return [...new Set([...kept, ...added])]
}

function newModels(
  bundled: readonly DownloadedModel[],
  published: PublishedData,
): DownloadedModel[] {
  const known = new Set(bundled.flatMap(({ id, aliases }) => [id, ...aliasIds(id, aliases)]))
  return published.types.flatMap((type) =>
    [...published.models.modelsOf(type).values()]
      .filter(({ name }) => !known.has(`${type}:${name}`))
      .flatMap((facts) => newModel(type, facts, published) ?? []),
  )
}

function aliasIds(id: string, aliases: readonly string[]): string[] {
  const [type] = split(id)
  return aliases.map((alias) => `${type}:${alias}`)
}

/** @returns null for a model that cannot be used here, or has no price */
function newModel(
  type: string,
  facts: PublishedFacts,
  { prices, asOf }: PublishedData,
): DownloadedModel | null {
  const { name } = facts
  if (facts.isRetired || !facts.isChat || (type === 'openai' && otherApi.test(name))) return null
  const price = priceFields(null, { offer: prices.offerOf(type, name), facts, asOf })
  if (price === null) return null
  const isReasoner = type === 'openai' && facts.takesTemperature === false
  return {
    id: `${type}:${name}`,
    aliases: [],
    ...price,
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    capabilities: capabilitiesOf([], facts.abilities),
    capabilitySource: { source: modelsSource, asOf },
    energyWhPerKtok: null,
    energySource: null,
    size: null,
    sizeSource: null,
    speed: null,
    speedSource: null,
    refuses: isReasoner ? [...samplingParameters, 'max_tokens'] : [],
    samplesWithoutReasoning: false,
    refusesSource: isReasoner ? { source: modelsSource, asOf } : null,
    region: null,
  }
}
