/**
 * The one order in which provider keys are looked up and stored: the environment, the OS keychain, the passphrase
 * vault, and in the desktop app this session's memory. Nothing is written unencrypted. A store that cannot be used is
 * an error, without a silent fallback.
 */
import { randomBytes } from 'node:crypto'
import { providerOf, withVariables, type Environment } from './env.ts'
import { openKeychain, type Keychain, type KeychainCalls } from './keychain.ts'
import { openRecords, type SecretRecord, type SecretRecords } from './records.ts'
import { SecretStoreError, type SecretStore } from './secret-store.ts'
import { openVault, type Vault } from './vault.ts'
import type { SecretsState } from '../../shared/app-state.ts'

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
  return withVariables(
    storedSecrets({ ...options, records, keychain, vault }),
    options.env,
    records,
  )
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

interface SessionKey {
  secret: string
  origin: string
}

function storedSecrets(stores: Stores): SecretStore {
  const { records, keychain } = stores
  const session = new Map<string, SessionKey>()

  async function set(keyName: string, secret: string, origin: string): Promise<void> {
    const { backend, state, message } = storeState(stores)
    if (backend === 'session') {
      session.set(keyName, { secret, origin })
      return
    }
    if (state !== 'ready') throw new SecretStoreError(message)
    await keep(stores, keyName, { secret, origin })
    session.delete(keyName)
  }

  async function names(providerId: string): Promise<string[]> {
    const inSession = [...session.keys()].filter((name) => providerOf(name) === providerId)
    return [...new Set([...(await records.names(providerId)), ...inSession])].toSorted()
  }

  async function remove(keyName: string): Promise<void> {
    session.delete(keyName)
    const entry = await keychainEntry(records, keyName)
    if (entry !== null) await keychain.delete(entry.account)
    await records.remove(keyName)
  }

  return {
    state: () => storeState(stores),
    names,
    get: async (keyName) => session.get(keyName)?.secret ?? (await find(stores, keyName)),
    boundTo: async (keyName) =>
      session.get(keyName)?.origin ?? (await records.read(keyName))?.origin ?? null,
    set,
    async bind(keyName, origin) {
      const record = await records.read(keyName)
      if (record !== null) await records.write(keyName, { ...record, origin })
    },
    bindVariable: async () => false,
    delete: remove,
    async deleteAll(providerId) {
      for (const keyName of await names(providerId)) await remove(keyName)
    },
    async retry() {
      await keychain.probe()
      if (storeState(stores).state === 'ready') {
        for (const [keyName, { secret, origin }] of session) await set(keyName, secret, origin)
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

/**
 * Writes the key to the durable store, then its record; the old key stays valid until then. A key for another
 * address gets an entry of its own, so that nobody reads it together with the old address.
 */
async function keep(
  stores: Stores,
  keyName: string,
  { secret, origin }: SessionKey,
): Promise<void> {
  const { records, keychain, vault } = stores
  if (storeState(stores).backend === 'keychain') {
    const known = await keychainEntry(records, keyName)
    const isReused = known !== null && known.origin === origin
    const account = isReused ? known.account : `${keyName}-${randomBytes(4).toString('hex')}`
    await keychain.set(account, secret)
    await records.write(keyName, { backend: 'keychain', account, origin })
    if (known !== null && !isReused) await keychain.delete(known.account)
  } else if (vault !== null) {
    const sealed = await vault.seal(keyName, secret)
    await records.write(keyName, { backend: 'vault', sealed, origin })
  }
}

async function find(stores: Stores, keyName: string): Promise<string | null> {
  const record = await stores.records.read(keyName)
  if (record === null) return null
  if (record.backend === 'keychain') return stores.keychain.get(record.account)
  if (stores.vault === null) throw new SecretStoreError(vaultClosed(keyName))
  return stores.vault.unseal(keyName, record.sealed)
}

/** The key's entry in the keychain; null if it has none or its record is damaged. */
async function keychainEntry(
  records: SecretRecords,
  keyName: string,
): Promise<Extract<SecretRecord, { backend: 'keychain' }> | null> {
  try {
    const record = await records.read(keyName)
    return record?.backend === 'keychain' ? record : null
  } catch (error) {
    // A damaged record can still be replaced and removed.
    if (error instanceof SecretStoreError) return null
    throw error
  }
}

function vaultClosed(keyName: string): string {
  return `The key of "${keyName}" is in the passphrase vault. Start again with MODELPORT_VAULT_PASSPHRASE set, or enter the key again.`
}
