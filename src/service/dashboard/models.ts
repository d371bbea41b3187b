import { modelInputSchema } from '../../shared/entities.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { capabilitiesLost } from '../providers/index.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

export function createModels({
  configuration,
  store,
  catalog,
}: DashboardOptions): Pick<Dashboard, 'models' | 'saveModel'> {
  const models = () => resolveModels(catalog, configuration.current(), capabilitiesLost)
  return {
    models: async () => [...models().values()],
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
