/**
 * The lists a person manages, and the version by which other processes notice a change: it grows in
 * the same transaction as the change.
 */
import type { Database } from 'better-sqlite3'
import type { ConfigurationStore } from '../storage.ts'
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
  const settings = openSettings(db)
  const { version, changing } = openVersion(db)

  return {
    version,
    read: () => ({
      version: version(),
      providers: providers.all(),
      models: models.all(),
      listedModels: providers.listedModels(),
      routers: routers.all(),
      apiKeys: apiKeys.all(),
      settings: settings.all(),
    }),
    insertProvider: changing(providers.insert),
    removeProvider: changing(providers.remove),
    setListedModels: changing(providers.setListedModels),
    saveModel: changing(models.save),
    insertRouter: changing(routers.insert),
    updateRouter: changing(routers.update),
    removeRouter: changing(routers.remove),
    insertApiKey: changing(apiKeys.insert),
    revokeApiKey: changing(apiKeys.revoke),
    expireApiKey: changing(apiKeys.expire),
    touchApiKeys: apiKeys.touch,
    setSetting: changing(settings.save),
  }
}

function openVersion(db: Database) {
  const select = db.prepare<[], number>('SELECT version FROM configuration_version').pluck()
  const grow = db.prepare<[]>('UPDATE configuration_version SET version = version + 1')

  return {
    version: () => select.get() ?? 0,
    /** The same function, growing the version unless it says by `false` that nothing changed. */
    changing:
      <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
      (...args: Args): Result => {
        const result = change(...args)
        if (result !== false) grow.run()
        return result
      },
  }
}
