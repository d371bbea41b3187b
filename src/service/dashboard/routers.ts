import { modelInputSchema, routerInputSchema, type Router } from '../../shared/entities.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { randomBase62 } from '../api-key-format.ts'
import { parseInput } from './input.ts'

type Routers = Pick<
  Dashboard,
  'models' | 'saveModel' | 'routers' | 'createRouter' | 'updateRouter' | 'removeRouter'
>

export function createRouters(options: DashboardOptions): Routers {
  const { configuration, store, catalog, now } = options

  const models = () => [...resolveModels(catalog, configuration.current()).values()]

  function existing(id: string): Router {
    const router = configuration.current().routers.get(id)
    if (!router) throw new DashboardError('not_found', `There is no router "${id}".`, 'id')
    return router
  }

  /** A model without a price could not be billed, so it cannot join (contract section 4). */
  function checkModels(ids: readonly string[]): void {
    const known = resolveModels(catalog, configuration.current())
    for (const id of ids) {
      const model = known.get(id)
      if (!model) throw new DashboardError('invalid', unknownModel(id, options), 'models')
      if (model.inputUsdPerMtok === null || model.outputUsdPerMtok === null) {
        throw new DashboardError(
          'invalid',
          `"${id}" has no price yet: give it one first.`,
          'models',
        )
      }
    }
    const twice = ids.find((id, index) => ids.indexOf(id) !== index)
    if (twice !== undefined) {
      throw new DashboardError('invalid', `"${twice}" is in the list twice.`, 'models')
    }
  }

  return {
    models: async () => models(),
    async saveModel(input) {
      const model = parseInput(modelInputSchema, input)
      const providerId = model.id.slice(0, model.id.indexOf(':'))
      if (!configuration.current().providers.has(providerId)) {
        throw new DashboardError('invalid', `There is no provider "${providerId}".`, 'id')
      }
      await store.saveModel(model)
      await configuration.refresh()
      const saved = models().find(({ id }) => id === model.id)
      if (!saved) throw new DashboardError('not_found', `"${model.id}" was removed meanwhile.`)
      return saved
    },
    routers: async () => [...configuration.current().routers.values()],
    async createRouter(input) {
      const checked = parseInput(routerInputSchema, input)
      checkModels(checked.models)
      const id = `router_${randomBase62(16)}`
      const router = { ...checked, id, createdAtMs: now(), updatedAtMs: now() }
      await store.insertRouter(router)
      await configuration.refresh()
      return router
    },
    async updateRouter(id, input) {
      const { createdAtMs } = existing(id)
      const checked = parseInput(routerInputSchema, input)
      checkModels(checked.models)
      const router = { ...checked, id, createdAtMs, updatedAtMs: now() }
      await store.updateRouter(router)
      await configuration.refresh()
      return router
    },
    async removeRouter(id) {
      await store.removeRouter(existing(id).id)
      await configuration.refresh()
    },
  }
}

function unknownModel(id: string, { configuration }: DashboardOptions): string {
  const providerId = id.slice(0, id.indexOf(':'))
  if (!configuration.current().providers.has(providerId)) {
    return `"${id}": there is no provider "${providerId}". Add the provider first.`
  }
  return `"${id}" is not known. Test the provider to list its models, or add the model with its price.`
}
