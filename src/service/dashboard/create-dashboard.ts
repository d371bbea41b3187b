import { createApiKeys } from './api-keys.ts'
import { createCatalogUpdates } from './catalog-updates.ts'
import type { Dashboard, DashboardOptions } from './dashboard.ts'
import { createFeedback } from './feedback.ts'
import { createFoundKeys } from './found-keys.ts'
import { agentsLater, connectLater, transferLater } from './load-later.ts'
import { createModelServers } from './model-servers.ts'
import { createModels } from './models.ts'
import { createProviders } from './providers.ts'
import { createRouters } from './routers.ts'
import { createSettings } from './settings.ts'

export function createDashboard(options: DashboardOptions): Dashboard {
  const providers = createProviders(options)
  const models = createModels(options)
  const apiKeys = createApiKeys(options)
  return {
    ...providers,
    ...models,
    ...createFoundKeys(options, providers),
    ...createModelServers(options, { ...providers, ...models }),
    ...createRouters(options),
    ...apiKeys,
    ...agentsLater(options),
    ...createFeedback(options),
    ...createSettings(options),
    ...transferLater(options),
    catalog: createCatalogUpdates(options),
    connect: connectLater(options, { ...apiKeys, ...models }),
  }
}
