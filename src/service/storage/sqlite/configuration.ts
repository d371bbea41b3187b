/**
 * The lists that people manage, and the version that shows other processes a change. It grows in the same
 * transaction as the change.
 */
import type { Database } from 'better-sqlite3'
import { StorageConflict, type ConfigurationChanges, type ConfigurationStore } from '../storage.ts'
import { openAgents } from './agents.ts'
import { openApiKeys } from './api-keys.ts'
import { openModels } from './models.ts'
import type { Synchronous } from './protocol.ts'
import { openProviders } from './providers.ts'
import { openRouters } from './routers.ts'
import { openSettings } from './settings.ts'

export function openConfiguration(db: Database): Synchronous<ConfigurationStore> {
  const providers = openProviders(db)
  const models = openModels(db)
  const routers = openRouters(db)
  const apiKeys = openApiKeys(db)
  const agents = openAgents(db)
  const settings = openSettings(db)
  const { version, changing } = openVersion(db)

  // One write has one savepoint in its group, so it takes effect completely or not at all.
  function apply(changes: ConfigurationChanges): void {
    if (changes.version !== version())
      throw new StorageConflict('The configuration changed in the meantime. Nothing was written.')
    for (const id of changes.routers.remove) routers.remove(id)
    for (const id of changes.models.remove) models.remove(id)
    for (const id of changes.providers.remove) providers.remove(id)
    for (const slug of changes.agents.remove) agents.remove(slug)
    for (const name of changes.settings.remove) settings.remove(name)
    changes.providers.save.forEach(providers.save)
    changes.models.save.forEach(models.save)
    changes.routers.save.forEach(routers.save)
    changes.agents.save.forEach(agents.save)
    for (const [name, value] of Object.entries(changes.settings.save)) settings.save(name, value)
  }

  return {
    version,
    read: () => ({
      version: version(),
      providers: providers.all(),
      models: models.all(),
      listedModels: providers.listedModels(),
      routers: routers.all(),
      apiKeys: apiKeys.all(),
      agents: agents.all(),
      settings: settings.all(),
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

function openVersion(db: Database) {
  const select = db.prepare<[], number>('SELECT version FROM configuration_version').pluck()
  const grow = db.prepare<[]>('UPDATE configuration_version SET version = version + 1')

  return {
    version: () => select.get() ?? 0,
    /** The same function, which increases the version unless it returns `false` for no change. */
    changing:
      <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
      (...args: Args): Result => {
        const result = change(...args)
        if (result !== false) grow.run()
        return result
      },
  }
}
