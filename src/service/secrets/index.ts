/**
 * The one order in which provider keys are looked up and stored: the environment, the OS keychain, the passphrase
 * vault, and in the desktop app this session's memory. Nothing is written unencrypted. A store that cannot be used is
 * an error, without a silent fallback.
 */
import { randomBytes } from 'node:crypto'
import { environmentSecret, secretVariable, type Environment } from './env.ts'
import { openKeychain, type Keychain, type KeychainCalls } from './keychain.ts'
import { openRecords, type SecretRecords } from './records.ts'
import { SecretStoreError, type SecretStore } from './secret-store.ts'
import { openVault, type Vault } from './vault.ts'
import type { SecretsState } from '../../shared/ipc.ts'

export interface SecretsOptions {
  dataDir: string
  /** Whether keys may stay in memory until the process ends when no durable store works. */
  allowSession: boolean
  /** The environment with `MODELPORT_KEY_<ID>` and `MODELPORT_VAULT_PASSPHRASE`. */
  env: Environment
  loadKeytar?: () => Promise<KeychainCalls>
}

/** Opens the stores; resolves when the keychain has answered a probe, after at most 5 s. */
export async function openSecrets(options: SecretsOptions): Promise<SecretStore> {
  const passphrase = options.env['MODELPORT_VAULT_PASSPHRASE']
  const [records, keychain, vault] = await Promise.all([
    openRecords(options.dataDir),
    openKeychain(options.loadKeytar ?? loadKeytar),
    passphrase ? openVault(options.dataDir, passphrase) : null,
  ])
  return secretStore({ ...options, records, keychain, vault })
}

async function loadKeytar(): Promise<KeychainCalls> {
  // Loaded when needed: its library may be missing on this computer, which must not crash Modelport.
  const { default: keytar } = await import('keytar')
  return keytar
}

interface Stores extends SecretsOptions {
  records: SecretRecords
  keychain: Keychain
  vault: Vault | null
}

function secretStore(stores: Stores): SecretStore {
  const { env, records, keychain } = stores
  const session = new Map<string, string>()

  async function set(providerId: string, secret: string): Promise<void> {
    const variable = secretVariable(providerId)
    if (environmentSecret(env, providerId) !== null) {
      throw new SecretStoreError(
        `This key comes from the variable ${variable}. Unset the variable first.`,
      )
    }
    const { backend, state, message } = storeState(stores)
    if (backend === 'session') {
      session.set(providerId, secret)
      return
    }
    if (state !== 'ready') throw new SecretStoreError(message)
    await keep(stores, providerId, secret)
    session.delete(providerId)
  }

  return {
    state: () => storeState(stores),
    async get(providerId) {
      const inMemory = environmentSecret(env, providerId) ?? session.get(providerId)
      return inMemory ?? (await find(stores, providerId))
    },
    set,
    async delete(providerId) {
      session.delete(providerId)
      const account = await keychainAccount(records, providerId)
      if (account !== null) await keychain.delete(account)
      await records.remove(providerId)
    },
    async retry() {
      await keychain.probe()
      if (storeState(stores).state === 'ready') {
        for (const [providerId, secret] of session) await set(providerId, secret)
      }
      return storeState(stores)
    },
  }
}

function storeState({ keychain, vault, allowSession }: Stores): SecretsState {
  const keychainState = keychain.state()
  if (keychainState.state === 'ready') return { backend: 'keychain', ...keychainState }
  if (vault !== null) return { backend: 'vault', ...vault.state() }
  if (!allowSession) return { backend: 'keychain', ...keychainState }
  const message = `Keys entered now are forgotten when the app quits. ${keychainState.message}`
  return { backend: 'session', state: keychainState.state, message }
}

/** Writes the key to the durable store, then its record; the old key stays valid until then. */
async function keep(stores: Stores, providerId: string, secret: string): Promise<void> {
  const { records, keychain, vault } = stores
  if (storeState(stores).backend === 'keychain') {
    const known = await keychainAccount(records, providerId)
    const account = known ?? `${providerId}-${randomBytes(4).toString('hex')}`
    await keychain.set(account, secret)
    await records.write(providerId, { backend: 'keychain', account })
  } else if (vault !== null) {
    const sealed = await vault.seal(providerId, secret)
    await records.write(providerId, { backend: 'vault', sealed })
  }
}

async function find(stores: Stores, providerId: string): Promise<string | null> {
  const record = await stores.records.read(providerId)
  if (record === null) return null
  if (record.backend === 'keychain') return stores.keychain.get(record.account)
  if (stores.vault === null) throw new SecretStoreError(vaultClosed(providerId))
  return stores.vault.unseal(providerId, record.sealed)
}

/** The key's entry in the keychain; null if it has none or its record is damaged. */
async function keychainAccount(records: SecretRecords, providerId: string): Promise<string | null> {
  try {
    const record = await records.read(providerId)
    return record?.backend === 'keychain' ? record.account : null
  } catch (error) {
    // A damaged record can still be replaced and removed.
    if (error instanceof SecretStoreError) return null
    throw error
  }
}

function vaultClosed(providerId: string): string {
  return `The key of "${providerId}" is in the passphrase vault. Start again with MODELPORT_VAULT_PASSPHRASE set, or enter the key again.`
}
