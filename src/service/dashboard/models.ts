import { modelInputSchema, type Model } from '../../shared/entities.ts'
import type { EnergyRange, ListedModel } from '../../shared/models/listed-model.ts'
import type { CatalogModel } from '../catalog/catalog.ts'
import { modelEnergy, type ModelEnergy } from '../catalog/energy.ts'
import { resolveModels, type ModelSources } from '../catalog/resolve-models.ts'
import { catalogTypeOf, findCatalogModel } from '../catalog/whose-models.ts'
import {
  capabilitiesLost,
  findProviderType,
  providerTypes,
} from '../provider-types/provider-types.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

export function createModels({
  configuration,
  store,
  catalog,
}: DashboardOptions): Pick<Dashboard, 'models' | 'listedModels' | 'saveModel'> {
  const models = () => resolveModels(catalog, configuration.current(), capabilitiesLost)
  return {
    models: async () => [...models().values()],
    listedModels: async () => {
      const { providers } = configuration.current()
      const others = otherProviders(providers)
      const offered = resolveModels(
        catalog,
        { providers: others, models: new Map(), listedModels: {} },
        capabilitiesLost,
      )
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
      await store.saveModel(model)
      await configuration.refresh()
      const saved = models().get(model.id)
      if (!saved)
        throw new DashboardError('not_found', `"${model.id}" was removed in the meantime.`)
      return saved
    },
  }
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
