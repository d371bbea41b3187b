/**
 * The lists that people manage, and the version that shows other processes a change. It grows in the same
 * transaction as the change.
 */
import {
  initialConfigurationVersion,
  StorageConflict,
  type ConfigurationChanges,
  type ConfigurationStore,
} from '../storage.ts'
import { openAgents } from './agents.ts'
import { openApiKeys } from './api-keys.ts'
import { openModels } from './models.ts'
import { openProviders } from './providers.ts'
import { openRouters } from './routers.ts'
import { openSettings } from './settings.ts'
import type { Sql } from './sql.ts'

export function openConfiguration(sql: Sql): ConfigurationStore {
  const providers = openProviders(sql)
  const models = openModels(sql)
  const routers = openRouters(sql)
  const apiKeys = openApiKeys(sql)
  const agents = openAgents(sql)
  const settings = openSettings(sql)
  const { version, changing } = openVersion(sql)

  // A write runs in a transaction or savepoint of its own, so it takes effect completely or not at all.
  async function apply(changes: ConfigurationChanges): Promise<void> {
    if (changes.version !== (await version()))
      throw new StorageConflict('The configuration changed in the meantime. Nothing was written.')
    for (const id of changes.routers.remove) await routers.remove(id)
    for (const id of changes.models.remove) await models.remove(id)
    for (const id of changes.providers.remove) await providers.remove(id)
    for (const slug of changes.agents.remove) await agents.remove(slug)
    for (const name of changes.settings.remove) await settings.remove(name)
    for (const provider of changes.providers.save) await providers.save(provider)
    for (const model of changes.models.save) await models.save(model)
    for (const router of changes.routers.save) await routers.save(router)
    for (const agent of changes.agents.save) await agents.save(agent)
    for (const [name, value] of Object.entries(changes.settings.save))
      await settings.save(name, value)
  }

  return {
    version,
    read: async () => ({
      version: await version(),
      providers: await providers.all(),
      models: await models.all(),
      listedModels: await providers.listedModels(),
      routers: await routers.all(),
      apiKeys: await apiKeys.all(),
      agents: await agents.all(),
      settings: await settings.all(),
    }),
    insertProvider: changing(providers.insert),
    updateProvider: changing(providers.update),
    raiseKeyRevision: changing(providers.raiseKeyRevision),
    removeProvider: changing(providers.remove),
    setListedModels: changing(providers.setListedModels),
    saveModel: changing(models.save),
    insertRouter: changing(routers.insert),
    updateRouter: changing(routers.update),
    removeRouter: changing(routers.remove),
    routerChanges: routers.changes,
    insertApiKey: changing(apiKeys.insert),
    revokeApiKey: changing(apiKeys.revoke),
    expireApiKey: changing(apiKeys.expire),
    touchApiKeys: apiKeys.touch,
    setSetting: changing(settings.save),
    saveAgent: changing(agents.save),
    removeAgent: changing(agents.remove),
    agentVersions: agents.versions,
    apply: changing(apply),
  }
}

/** Each change passes here, so that a trigger on this table notifies all nodes. */
export function openVersion(sql: Sql) {
  const select = sql.prepare<[], number>('SELECT version FROM configuration_version').pluck()
  const grow = sql.prepare<[]>(
    `UPDATE configuration_version SET version = version + ${sql.dialect.versionStep}`,
  )

  return {
    version: async () => (await select.get()) ?? initialConfigurationVersion,
    /** The same function, which increases the version unless it returns `false` for no change. */
    changing:
      <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const result = await change(...args)
        if (result !== false) await grow.run()
        return result
      },
  }
}
