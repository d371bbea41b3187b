import { createAgents } from './agents.ts'
import { createApiKeys } from './api-keys.ts'
import { createCatalogUpdates } from './catalog-updates.ts'
import { connectLater } from './connect-later.ts'
import type { Dashboard, DashboardOptions } from './dashboard.ts'
import { createFeedback } from './feedback.ts'
import { createModelServers } from './model-servers.ts'
import { createModels } from './models.ts'
import { createProviders } from './providers.ts'
import { createRouters } from './routers.ts'
import { createSettings } from './settings.ts'
import { createTransfer } from './transfer.ts'

export function createDashboard(options: DashboardOptions): Dashboard {
  const providers = createProviders(options)
  const models = createModels(options)
  const apiKeys = createApiKeys(options)
  return {
    ...providers,
    ...models,
    ...createModelServers(options, { ...providers, ...models }),
    ...createRouters(options),
    ...apiKeys,
    ...createAgents(options),
    ...createFeedback(options),
    ...createSettings(options),
    ...createTransfer(options),
    catalog: createCatalogUpdates(options),
    connect: connectLater(options, { ...apiKeys, ...models }),
  }
}
