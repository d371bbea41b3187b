import { modelInputSchema, type Model } from '../../shared/entities.ts'
import {
  datedPriceNameSchema,
  datedPriceSchema,
  type DatedPrice,
} from '../../shared/models/dated-price.ts'
import type { EnergyRange, ListedModel } from '../../shared/models/listed-model.ts'
import type { CatalogModel } from '../catalog/catalog.ts'
import { modelEnergy, type ModelEnergy } from '../catalog/energy.ts'
import { withPriceOfToday } from '../catalog/price-schedule.ts'
import { resolveModels, type ModelSources } from '../catalog/resolve-models.ts'
import { catalogTypeOf, findCatalogModel } from '../catalog/whose-models.ts'
import {
  capabilitiesLost,
  findProviderType,
  providerTypes,
} from '../provider-types/provider-types.ts'
import { datedPricesName } from '../storage/live-configuration.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

type ModelFunction =
  | 'models'
  | 'listedModels'
  | 'saveModel'
  | 'datedPrices'
  | 'correctPrice'
  | 'removeDatedPrice'

export function createModels({
  configuration,
  store,
  catalog,
  now,
}: DashboardOptions): Pick<Dashboard, ModelFunction> {
  const resolve = (sources: ModelSources) => {
    const found = resolveModels(catalog, sources, capabilitiesLost)
    return new Map([...found].map(([id, model]) => [id, withPriceOfToday(model, now())]))
  }
  const models = () => resolve(configuration.current())
  return {
    ...createDatedPrices({ configuration, store }, models),
    models: async () => [...models().values()],
    listedModels: async () => {
      const { providers } = configuration.current()
      const others = otherProviders(providers)
      const offered = resolve({ providers: others, models: new Map(), listedModels: {} })
      const list = (each: Iterable<Model>, known: ModelSources['providers'], isOwn: boolean) =>
        [...each].flatMap((model) => {
          const provider = known.get(model.providerId)
          if (!provider) return []
          const name = model.id.slice(model.providerId.length + 1)
          const entry = findCatalogModel(catalog, `${catalogTypeOf(provider)}:${name}`)
          return [listed(model, entry, { type: provider.type, isOwn })]
        })
      return [...list(models().values(), providers, true), ...list(offered.values(), others, false)]
    },
    async saveModel(input) {
      const model = parseInput(modelInputSchema, input)
      const providerId = model.id.slice(0, model.id.indexOf(':'))
      if (!configuration.current().providers.has(providerId)) {
        throw new DashboardError('invalid', `There is no provider "${providerId}".`, 'id')
      }
      const { datedPrices, models: own } = configuration.current()
      const isNewPrice = [models().get(model.id), own.get(model.id)].every(
        (known) =>
          known?.inputUsdPerMtok !== model.inputUsdPerMtok ||
          known.outputUsdPerMtok !== model.outputUsdPerMtok,
      )
      // A new price applies at once, so corrections that apply already end.
      const others = datedPrices.filter(
        ({ modelId, fromMs }) => modelId !== model.id || fromMs > now(),
      )
      if (isNewPrice && others.length < datedPrices.length) {
        await store.setSetting(datedPricesName, others)
      }
      await store.saveModel(model)
      await configuration.refresh()
      const saved = models().get(model.id)
      if (!saved)
        throw new DashboardError('not_found', `"${model.id}" was removed in the meantime.`)
      return saved
    },
  }
}

type DatedPriceFunction = 'datedPrices' | 'correctPrice' | 'removeDatedPrice'

function createDatedPrices(
  { configuration, store }: Pick<DashboardOptions, 'configuration' | 'store'>,
  models: () => ReadonlyMap<string, Model>,
): Pick<Dashboard, DatedPriceFunction> {
  const savePrices = async (prices: readonly DatedPrice[]) => {
    await store.setSetting(datedPricesName, prices)
    await configuration.refresh()
  }
  const othersThan = ({ modelId, fromMs }: { modelId: string; fromMs: number }) =>
    configuration
      .current()
      .datedPrices.filter((price) => price.modelId !== modelId || price.fromMs !== fromMs)
  return {
    datedPrices: async () => configuration.current().datedPrices.toSorted(byModelAndTime),
    async correctPrice(input) {
      const price = parseInput(datedPriceSchema, input)
      if (!models().has(price.modelId)) {
        throw new DashboardError('not_found', `There is no model "${price.modelId}".`, 'modelId')
      }
      await savePrices([...othersThan(price), price])
      const corrected = models().get(price.modelId)
      if (corrected) return corrected
      throw new DashboardError('not_found', `"${price.modelId}" was removed in the meantime.`)
    },
    async removeDatedPrice(input) {
      const name = parseInput(datedPriceNameSchema, input)
      const others = othersThan(name)
      if (others.length === configuration.current().datedPrices.length) {
        const message = `"${name.modelId}" has no price from that date.`
        throw new DashboardError('not_found', message, 'fromMs')
      }
      await savePrices(others)
    },
  }
}

function byModelAndTime(a: DatedPrice, b: DatedPrice): number {
  return a.modelId === b.modelId ? a.fromMs - b.fromMs : a.modelId < b.modelId ? -1 : 1
}

/** A provider of each type of which the user has none, named like the type unless that id is in use. */
function otherProviders(own: ModelSources['providers']): ModelSources['providers'] {
  const types = new Set([...own.values()].map(({ type }) => type))
  const others = providerTypes.filter(({ type }) => !types.has(type) && !own.has(type))
  return new Map(others.map(({ type }) => [type, { id: type, type, options: {} }]))
}

function listed(
  model: Model,
  entry: CatalogModel | null,
  { type, isOwn }: { type: string; isOwn: boolean },
): ListedModel {
  return {
    model,
    isOwn,
    providerType: type,
    typeName: findProviderType(type)?.name ?? type,
    energy: inWattHours(modelEnergy(model.energyWhPerKtok, model.size)),
    sources: {
      context: entry && { source: entry.source, asOf: entry.asOf },
      capabilities: entry?.capabilitySource ?? null,
      energy: entry?.energySource ?? null,
      size: entry?.sizeSource ?? null,
      speed: entry?.speedSource ?? null,
    },
  }
}

/** Joules per token as watt-hours per thousand tokens. */
function inWattHours({ low, mid, high, method }: ModelEnergy): EnergyRange {
  const wattHours = (joules: number) => joules / 3.6
  return {
    low: wattHours(low.output),
    mid: wattHours(mid.output),
    high: wattHours(high.output),
    method,
  }
}
