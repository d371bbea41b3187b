import type { z } from 'zod'
import {
  apiKeyInputSchema,
  type ApiKey,
  type ApiKeyInput,
  type CreatedApiKey,
} from '../../shared/entities.ts'
import { endOfKey } from '../../shared/app/key-rotation.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { hintOfKey, newApiKey, randomBase62, sha256OfKey } from '../api-key-format.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { StoredApiKey } from '../storage/storage.ts'
import { parseInput } from './input.ts'

/** Nodes store the last uses every 10 s; the requests of this time are in the ledger at once. */
const unstoredUsesMs = 30_000

/** A key that opens nothing until it is stored. */
interface PreparedApiKey extends CreatedApiKey {
  store(): Promise<void>
}

export interface ApiKeys extends Pick<
  Dashboard,
  'apiKeys' | 'createApiKey' | 'revokeApiKey' | 'rotateApiKey'
> {
  /** @throws DashboardError as `createApiKey` */
  prepareApiKey(input: ApiKeyInput): PreparedApiKey
}
type ApiKeyRights = z.output<typeof apiKeyInputSchema>

export function createApiKeys(options: DashboardOptions): ApiKeys {
  const { configuration, store, now } = options
  function existing(id: string): StoredApiKey {
    const key = configuration.current().apiKeys.get(id)
    if (!key) throw new DashboardError('not_found', `There is no key "${id}".`, 'id')
    return key
  }

  function prepare(rights: ApiKeyRights, rotatedFromId: string | null): PreparedApiKey {
    const key = newApiKey()
    const stored: StoredApiKey = {
      ...rights,
      id: `key_${randomBase62(16)}`,
      hint: hintOfKey(key),
      sha256: sha256OfKey(key),
      createdAtMs: now(),
      lastUsedAtMs: null,
      revokedAtMs: null,
      rotatedFromId,
    }
    return {
      key,
      apiKey: shown(stored),
      async store() {
        await store.insertApiKey(stored)
        await configuration.refresh()
      },
    }
  }

  async function insert(...given: Parameters<typeof prepare>): Promise<CreatedApiKey> {
    const { key, apiKey, store: save } = prepare(...given)
    await save()
    return { key, apiKey }
  }

  return {
    apiKeys: () => listKeys(options),
    prepareApiKey: (input) => prepare(checkedRights(input, options), null),
    createApiKey: async (input) => insert(checkedRights(input, options), null),
    async revokeApiKey(id) {
      const revokedAtMs = existing(id).revokedAtMs ?? now()
      await store.revokeApiKey(id, revokedAtMs)
      await configuration.refresh()
      return shown({ ...existing(id), revokedAtMs })
    },
    async rotateApiKey(id, graceMs) {
      const old = existing(id)
      checkRotation(old, configuration.current(), now())
      // The successor has everything that was set on the old key, its expiry date included.
      const created = await insert(old, id)
      await store.expireApiKey(id, now() + graceMs)
      await configuration.refresh()
      return created
    },
  }
}

/** @throws DashboardError for a router that does not exist or an expiry date in the past */
function checkedRights(
  input: ApiKeyInput,
  { configuration, now }: Pick<DashboardOptions, 'configuration' | 'now'>,
): ApiKeyRights {
  const rights = parseInput(apiKeyInputSchema, input)
  checkRouters(rights, configuration.current())
  if (rights.expiresAtMs !== null && rights.expiresAtMs <= now()) {
    throw new DashboardError('invalid', 'The expiry date is in the past.', 'expiresAtMs')
  }
  return rights
}

/** @throws DashboardError for a router that does not exist */
function checkRouters({ routers: ids }: ApiKeyRights, { routers }: ConfigurationIndex): void {
  const unknown = ids === 'all' ? undefined : ids.find((id) => !routers.has(id))
  if (unknown === undefined) return
  throw new DashboardError('invalid', `There is no router "${unknown}".`, 'routers')
}

async function listKeys({ store, ledger, now }: DashboardOptions): Promise<ApiKey[]> {
  // Read again: the time of the last use does not change the configuration's version.
  const { apiKeys } = await store.read()
  const newest = await ledger.newestOfKeys(now() - unstoredUsesMs)
  return apiKeys.map((key) => shown({ ...key, lastUsedAtMs: latest(key, newest[key.id]) }))
}

function latest({ lastUsedAtMs }: StoredApiKey, startedAtMs: number | undefined): number | null {
  if (startedAtMs === undefined) return lastUsedAtMs
  return Math.max(lastUsedAtMs ?? 0, startedAtMs)
}

/** @throws DashboardError when the key is revoked, expired or already rotated */
function checkRotation(key: StoredApiKey, { apiKeys }: ConfigurationIndex, nowMs: number): void {
  const { id, expiresAtMs } = key
  const end = endOfKey(key, nowMs)
  const refuse = (message: string) => new DashboardError('invalid', message, 'id')
  if (end === 'revoked') throw refuse('This key is revoked. Create a new key.')
  const successor = [...apiKeys.values()].find(({ rotatedFromId }) => rotatedFromId === id)
  if (successor !== undefined) {
    throw refuse(`This key was rotated already. Rotate its successor ${successor.id}.`)
  }
  if (end === 'expired' && expiresAtMs !== null) {
    throw refuse(`This key expired at ${new Date(expiresAtMs).toISOString()}. Create a new key.`)
  }
}

/** The key without its hash. */
function shown({ sha256: _sha256, ...apiKey }: StoredApiKey): ApiKey {
  return apiKey
}
