import { apiKeyInputSchema, type ApiKey, type CreatedApiKey } from '../../shared/entities.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { hintOfKey, newApiKey, randomBase62, sha256OfKey } from '../api-key-format.ts'
import type { StoredApiKey } from '../storage/storage.ts'
import { parseInput } from './input.ts'

type ApiKeys = Pick<Dashboard, 'apiKeys' | 'createApiKey' | 'revokeApiKey' | 'rotateApiKey'>
type ApiKeyRights = Omit<StoredApiKey, 'id' | 'hint' | 'sha256' | `${string}AtMs`> &
  Pick<StoredApiKey, 'expiresAtMs'>

export function createApiKeys({ configuration, store, now }: DashboardOptions): ApiKeys {
  function existing(id: string): StoredApiKey {
    const key = configuration.current().apiKeys.get(id)
    if (!key) throw new DashboardError('not_found', `There is no key "${id}".`, 'id')
    return key
  }

  async function insert(rights: ApiKeyRights): Promise<CreatedApiKey> {
    const key = newApiKey()
    const stored: StoredApiKey = {
      ...rights,
      id: `key_${randomBase62(16)}`,
      hint: hintOfKey(key),
      sha256: sha256OfKey(key),
      createdAtMs: now(),
      lastUsedAtMs: null,
      revokedAtMs: null,
    }
    await store.insertApiKey(stored)
    await configuration.refresh()
    return { key, apiKey: shown(stored) }
  }

  return {
    // Read anew: the time of the last use is not part of the configuration's version.
    apiKeys: async () => (await store.read()).apiKeys.map(shown),
    async createApiKey(input) {
      const rights = parseInput(apiKeyInputSchema, input)
      const { routers } = configuration.current()
      const unknown =
        rights.routers === 'all' ? undefined : rights.routers.find((id) => !routers.has(id))
      if (unknown !== undefined) {
        throw new DashboardError('invalid', `There is no router "${unknown}".`, 'routers')
      }
      if (rights.expiresAtMs !== null && rights.expiresAtMs <= now()) {
        throw new DashboardError('invalid', 'The key would have expired already.', 'expiresAtMs')
      }
      return insert(rights)
    },
    async revokeApiKey(id) {
      const revokedAtMs = existing(id).revokedAtMs ?? now()
      await store.revokeApiKey(id, revokedAtMs)
      await configuration.refresh()
      return shown({ ...existing(id), revokedAtMs })
    },
    async rotateApiKey(id, graceMs) {
      const old = existing(id)
      if (old.revokedAtMs !== null) {
        throw new DashboardError('invalid', 'This key is revoked: create a new one.', 'id')
      }
      // What is not a right is made anew.
      const created = await insert({ ...old, expiresAtMs: null })
      const endsAtMs = Math.min(old.expiresAtMs ?? Infinity, now() + graceMs)
      await store.expireApiKey(id, endsAtMs)
      await configuration.refresh()
      return created
    },
  }
}

/** What may be seen of a key: not even its hash. */
function shown({ sha256: _sha256, ...apiKey }: StoredApiKey): ApiKey {
  return apiKey
}
