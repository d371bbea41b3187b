import { routerInputSchema, type Model, type Router } from '../../shared/entities.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { capabilitiesLost } from '../provider-types/provider-types.ts'
import { checkRouting, type KnownParts, type ModelChoice } from './check-routing.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { randomBase62 } from '../api-key-format.ts'
import { parseInput } from './input.ts'

type Routers = Pick<
  Dashboard,
  'routers' | 'createRouter' | 'updateRouter' | 'removeRouter' | 'routerChanges'
>

export function createRouters(options: DashboardOptions): Routers {
  const { configuration, store, catalog, now } = options

  function checkKnown(router: ModelChoice): void {
    const current = configuration.current()
    const models = resolveModels(catalog, current, capabilitiesLost)
    checkChoice(router, { models, providers: current.providers, routers: current.routers })
  }

  function existing(id: string): Router {
    const router = configuration.current().routers.get(id)
    if (!router) throw isAbsent(id)
    return router
  }

  return {
    routers: async () => [...configuration.current().routers.values()],
    async createRouter(input) {
      const checked = parseInput(routerInputSchema, input)
      checkKnown(checked)
      const id = `router_${randomBase62(16)}`
      const router = { ...checked, id, createdAtMs: now(), updatedAtMs: now() }
      await store.insertRouter(router)
      await configuration.refresh()
      return router
    },
    async updateRouter(id, input) {
      const { createdAtMs } = existing(id)
      const checked = parseInput(routerInputSchema, input)
      checkKnown(checked)
      const router = { ...checked, id, createdAtMs, updatedAtMs: now() }
      const isThere = await store.updateRouter(router)
      await configuration.refresh()
      if (!isThere) throw isAbsent(id)
      return router
    },
    routerChanges: (id) => store.routerChanges(id),
    async removeRouter(id) {
      await store.removeRouter(existing(id).id)
      await configuration.refresh()
    },
  }
}

function isAbsent(id: string): DashboardError {
  return new DashboardError('not_found', `There is no router "${id}".`, 'id')
}

/**
 * Checks the models. One without a price could not be billed, so it cannot be in a router (contract section 4).
 * @throws DashboardError for the first model that cannot be in it or is listed twice; when no model may answer
 */
export function checkChoice(router: ModelChoice, known: KnownParts): void {
  checkModels(router.models, known.models, known.providers)
  checkRouting(router, known)
}

function checkModels(
  ids: readonly string[],
  known: ReadonlyMap<string, Model>,
  providers: ReadonlyMap<string, unknown>,
): void {
  const seen = new Set<string>()
  for (const id of ids) {
    const model = known.get(id)
    if (!model) throw new DashboardError('invalid', unknownModel(id, providers), 'models')
    if (model.inputUsdPerMtok === null || model.outputUsdPerMtok === null) {
      throw new DashboardError('invalid', `"${id}" has no price. Set its price first.`, 'models')
    }
    if (seen.has(id)) {
      throw new DashboardError('invalid', `"${id}" is listed twice.`, 'models')
    }
    seen.add(id)
  }
}

function unknownModel(id: string, providers: ReadonlyMap<string, unknown>): string {
  const providerId = id.slice(0, id.indexOf(':'))
  if (!providers.has(providerId)) {
    return `"${id}": there is no provider "${providerId}". Add the provider first.`
  }
  return `"${id}" is not known. Test the provider to list its models, or add the model with its price.`
}
