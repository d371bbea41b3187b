/** Selects the keys of a provider that may be sent to its address. */
import type { SecretStore } from './secret-store.ts'

export interface UsableKey {
  name: string
  secret: string
}

export interface ProviderKeys {
  /** Usable keys in the order of the store: the first key before the others. */
  usable: UsableKey[]
  /** Keys that belong to another address, with that address. */
  elsewhere: { name: string; origin: string }[]
}

/**
 * Reads the provider's keys. The first use binds the keys of a variable or file.
 * @param origin  scheme, host and port of the provider's address
 * @throws SecretStoreError
 */
export async function readProviderKeys(
  secrets: SecretStore,
  providerId: string,
  origin: string,
): Promise<ProviderKeys> {
  const keys: ProviderKeys = { usable: [], elsewhere: [] }
  for (const name of await secrets.names(providerId)) {
    const boundTo = await secrets.boundTo(name)
    if (boundTo !== null && boundTo !== origin) {
      keys.elsewhere.push({ name, origin: boundTo })
      continue
    }
    const secret = await secrets.get(name)
    if (secret === null) continue
    if (boundTo === null) await secrets.bindVariable(providerId, origin)
    keys.usable.push({ name, secret })
  }
  return keys
}

/** Why a provider has no usable key, as the rest of a sentence about it. */
export function missingKeyMessage({ elsewhere: [other] }: ProviderKeys, origin: string): string {
  if (other === undefined) return 'it has no key'
  return `its key belongs to ${other.origin}, so enter the key for ${origin}`
}

/** The name shown for a provider's first key, which is stored without one. */
export const firstKeyName = 'default'

/** The name that the user gave the key: `work` for `openai.work`. */
export function shownName(keyName: string): string {
  const dot = keyName.indexOf('.')
  return dot === -1 ? firstKeyName : keyName.slice(dot + 1)
}
