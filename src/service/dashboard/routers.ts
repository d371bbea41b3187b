import { routerInputSchema, type Router } from '../../shared/entities.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { randomBase62 } from '../api-key-format.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import { parseInput } from './input.ts'

type Routers = Pick<Dashboard, 'routers' | 'createRouter' | 'updateRouter' | 'removeRouter'>

export function createRouters(options: DashboardOptions): Routers {
  const { configuration, store, now } = options

  function existing(id: string): Router {
    const router = configuration.current().routers.get(id)
    if (!router) throw isAbsent(id)
    return router
  }

  return {
    routers: async () => [...configuration.current().routers.values()],
    async createRouter(input) {
      const checked = parseInput(routerInputSchema, input)
      checkModels(checked.models, options)
      const id = `router_${randomBase62(16)}`
      const router = { ...checked, id, createdAtMs: now(), updatedAtMs: now() }
      await store.insertRouter(router)
      await configuration.refresh()
      return router
    },
    async updateRouter(id, input) {
      const { createdAtMs } = existing(id)
      const checked = parseInput(routerInputSchema, input)
      checkModels(checked.models, options)
      const router = { ...checked, id, createdAtMs, updatedAtMs: now() }
      const isThere = await store.updateRouter(router)
      await configuration.refresh()
      if (!isThere) throw isAbsent(id)
      return router
    },
    async removeRouter(id) {
      await store.removeRouter(existing(id).id)
      await configuration.refresh()
    },
  }
}

function isAbsent(id: string): DashboardError {
  return new DashboardError('not_found', `There is no router "${id}".`, 'id')
}

/** A model without a price could not be billed, so it cannot join (contract section 4). */
function checkModels(ids: readonly string[], { catalog, configuration }: DashboardOptions): void {
  const known = resolveModels(catalog, configuration.current())
  for (const [index, id] of ids.entries()) {
    const model = known.get(id)
    if (!model) throw new DashboardError('invalid', unknownModel(id, configuration), 'models')
    if (model.inputUsdPerMtok === null || model.outputUsdPerMtok === null) {
      throw new DashboardError('invalid', `"${id}" has no price yet: give it one first.`, 'models')
    }
    if (ids.indexOf(id) !== index) {
      throw new DashboardError('invalid', `"${id}" is in the list twice.`, 'models')
    }
  }
}

function unknownModel(id: string, configuration: LiveConfiguration): string {
  const providerId = id.slice(0, id.indexOf(':'))
  if (!configuration.current().providers.has(providerId)) {
    return `"${id}": there is no provider "${providerId}". Add the provider first.`
  }
  return `"${id}" is not known. Test the provider to list its models, or add the model with its price.`
}
