/** Keys from environment variables: read only, and first in the order. */
import type { SecretRecords } from './records.ts'
import { SecretStoreError, type SecretStore } from './secret-store.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** `my-openai` is read from `MODELPORT_KEY_MY_OPENAI`. */
function secretVariable(providerId: string): string {
  return `MODELPORT_KEY_${providerId.toUpperCase().replaceAll('-', '_')}`
}

/** Whether a variable has a provider's key or the vault's passphrase. Windows ignores the case of names. */
export function isSecretVariable(name: string): boolean {
  return /^MODELPORT_(KEY_|VAULT_PASSPHRASE$)/i.test(name)
}

/**
 * The keys in the provider's variable, by name: `<id>`, `<id>.2`, `<id>.3`. Commas separate them, unless the
 * value is JSON, such as a service account. Empty when the variable is unset or empty.
 */
function environmentSecrets(env: Environment, providerId: string): Map<string, string> {
  const value = env[secretVariable(providerId)]?.trim() ?? ''
  const secrets = value.startsWith('{') ? [value] : value.split(',').map((part) => part.trim())
  const named = secrets.filter((secret) => secret !== '')
  return new Map(
    named.map((secret, index) => [index === 0 ? providerId : `${providerId}.${index + 1}`, secret]),
  )
}

/** The provider whose key has this name. */
export function providerOf(keyName: string): string {
  return keyName.split('.', 1)[0] ?? keyName
}

/** A store in which the keys of a provider's variable hide those that `stored` has for it. */
export function withVariables(
  stored: SecretStore,
  env: Environment,
  records: SecretRecords,
): SecretStore {
  const given = (keyName: string) => environmentSecrets(env, providerOf(keyName))
  return {
    ...stored,
    async names(providerId) {
      const inVariable = given(providerId)
      return inVariable.size > 0 ? [...inVariable.keys()] : await stored.names(providerId)
    },
    async get(keyName) {
      const inVariable = given(keyName)
      return inVariable.size > 0 ? (inVariable.get(keyName) ?? null) : await stored.get(keyName)
    },
    boundTo: (keyName) =>
      given(keyName).size > 0 ? records.readVariable(providerOf(keyName)) : stored.boundTo(keyName),
    async set(keyName, secret, origin) {
      const inVariable = given(keyName)
      if (inVariable.size === 0) return await stored.set(keyName, secret, origin)
      if (inVariable.get(keyName) !== secret) throw readOnly(providerOf(keyName))
      // The user names the variable's own key: this binds it to the new address.
      await records.writeVariable(providerOf(keyName), origin)
    },
    bind: (keyName, origin) =>
      given(keyName).size > 0
        ? records.writeVariable(providerOf(keyName), origin)
        : stored.bind(keyName, origin),
    async bindVariable(providerId, origin) {
      if (given(providerId).size === 0) return false
      await records.writeVariable(providerId, origin)
      return true
    },
    async deleteAll(providerId) {
      await stored.deleteAll(providerId)
      await records.removeVariable(providerId)
    },
  }
}

function readOnly(providerId: string): SecretStoreError {
  const variable = secretVariable(providerId)
  return new SecretStoreError(
    `This key comes from the variable ${variable}. Unset the variable first.`,
  )
}
