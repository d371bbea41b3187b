/** A provider's keys: stored, added to a pool, removed, and shown without the keys themselves. */
import type { ProviderKey } from '../../shared/entities.ts'
import { addedKeySchema, type AddedKey } from '../../shared/models/provider-key.ts'
import { originOf } from '../provider-types/provider-types.ts'
import { providerProblem } from '../providers/provider.ts'
import { SecretStoreError } from '../secrets/secret-store.ts'
import {
  firstKeyName,
  readProviderKeys,
  shownName,
  type ProviderKeys,
} from '../secrets/usable-keys.ts'
import type { StoredProvider } from '../storage/storage.ts'
import { DashboardError, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

/** Most keys of a provider. Each key costs one call to the keychain at the first request. */
const maxKeys = 20

/** @param name  the store's name of the key; the provider's id for its first key */
export async function storeKey(
  { secrets }: DashboardOptions,
  provider: StoredProvider,
  { name = provider.id, apiKey }: { name?: string; apiKey: string },
): Promise<void> {
  try {
    await secrets.set(name, apiKey, originOf(provider))
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error
    throw new DashboardError('secrets_unavailable', error.message, 'apiKey')
  }
}

/** @throws DashboardError conflict for a name in use, invalid, secrets_unavailable */
export async function addKey(
  options: DashboardOptions,
  provider: StoredProvider,
  given: AddedKey,
): Promise<void> {
  const { apiKey, name } = parseInput(addedKeySchema, given)
  const known = await options.secrets.names(provider.id)
  if (known.length >= maxKeys) {
    throw new DashboardError('invalid', `A provider has at most ${maxKeys} keys.`, 'name')
  }
  if (known.length === 0) return await storeKey(options, provider, { apiKey })
  const chosen = name ?? nextName(known.map(shownName))
  const keyName = `${provider.id}.${chosen}`
  if (known.includes(keyName)) {
    throw new DashboardError('conflict', `A key "${chosen}" already exists.`, 'name')
  }
  await storeKey(options, provider, { name: keyName, apiKey })
}

function nextName(known: readonly string[]): string {
  let number = known.length + 1
  while (known.includes(`key-${number}`)) number += 1
  return `key-${number}`
}

/** @throws DashboardError not_found, in_use for the only key of a provider that needs one */
export async function removeKey(
  { secrets }: DashboardOptions,
  provider: StoredProvider,
  { name, isNeeded }: { name: string; isNeeded: boolean },
): Promise<void> {
  const keyName = name === firstKeyName ? provider.id : `${provider.id}.${name}`
  const known = await secrets.names(provider.id)
  if (!known.includes(keyName)) {
    throw new DashboardError('not_found', `There is no key "${name}".`, 'name')
  }
  if (known.length === 1 && isNeeded) {
    const message = 'This is its only key. Replace the key, or delete the provider.'
    throw new DashboardError('in_use', message, 'name')
  }
  try {
    await secrets.delete(keyName)
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error
    throw new DashboardError('secrets_unavailable', error.message, 'name')
  }
}

export interface SourcedKeys extends ProviderKeys {
  /** The variable or file that gives them; null for stored keys. */
  source: string | null
}

export const noKeys: SourcedKeys = { usable: [], elsewhere: [], source: null }

export async function keysOf(
  provider: StoredProvider,
  { secrets }: DashboardOptions,
): Promise<SourcedKeys> {
  try {
    const keys = await readProviderKeys(secrets, provider.id, originOf(provider))
    return { ...keys, source: secrets.sourceOf(provider.id) }
  } catch (error) {
    // The page shows the store's state as well.
    if (error instanceof SecretStoreError) return noKeys
    throw error
  }
}

export function shownKeys(
  { id }: StoredProvider,
  { usable, elsewhere }: ProviderKeys,
  { upstreams }: DashboardOptions,
): ProviderKey[] {
  const states = new Map(upstreams.keyStates(id).map((state) => [state.name, state]))
  const belongsTo = new Map(elsewhere.map(({ name, origin }) => [name, origin]))
  const names = [...usable, ...elsewhere].map(({ name }) => name).toSorted()
  return names.map((name) => {
    const { rejection = null, pausedUntilMs = null, remaining = null } = states.get(name) ?? {}
    const problem = rejection && providerProblem(rejection.kind)
    const shown = shownName(name)
    const origin = belongsTo.get(name) ?? null
    return { name: shown, belongsTo: origin, problem, pausedUntilMs, remaining }
  })
}
