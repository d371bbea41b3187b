/**
 * The one order in which provider keys are looked up and stored: the environment, the secrets folder, the OS keychain,
 * the vault, and in the desktop app this session's memory. Nothing is written unencrypted. A store that cannot be used
 * is an error, without a silent fallback.
 *
 * On a server, a key for the vault or a database for the records replaces the keychain: a keychain belongs to one
 * computer, and other nodes could not read it.
 */
import { randomBytes } from 'node:crypto'
import {
  openGivenKeys,
  providerOf,
  withGivenKeys,
  type Environment,
  type GivenKeys,
  type GivenKeysOptions,
} from './given-keys.ts'
import { openKeychain, type Keychain, type KeychainCalls } from './keychain.ts'
import { openRecords, type SecretRecord, type SecretRecords } from './records.ts'
import { openSealedFiles, type SealedKeys } from './sealed-keys.ts'
import {
  SecretStoreError,
  type SecretStore,
  type StoredSecrets,
  type WrappingKeySources,
} from './secret-store.ts'
import { openVault, type Vault } from './vault.ts'
import { openWrappingKey, type WrappingKey } from './wrapping-key.ts'
import type { SecretsState } from '../../shared/app/app-state.ts'

/** How a server is given keys. */
export interface ServerSecrets
  extends
    Pick<GivenKeysOptions, 'secretsDir' | 'usesVendorVariables' | 'checkMs'>,
    Pick<WrappingKeySources, 'file' | 'command'> {}

export interface SecretsOptions {
  dataDir: string
  /** Whether keys may stay in memory until the process ends when no durable store works. */
  allowSession: boolean
  /** The environment with `MODELPORT_KEY_<ID>`, `MODELPORT_VAULT_KEY` and `MODELPORT_VAULT_PASSPHRASE`. */
  env: Environment
  server?: ServerSecrets | undefined
  /** Records that several nodes share; those of the data folder by default. */
  sealedKeys?: SealedKeys | undefined
  loadKeytar?: () => Promise<KeychainCalls>
}

/**
 * Opens the stores; resolves when the keychain has answered a probe, after at most 5 s.
 * @throws SecretStoreError for a secrets folder or a key of the vault that cannot be used
 */
export async function openSecrets(options: SecretsOptions): Promise<SecretStore> {
  const { env, server = {}, loadKeytar: load = loadKeytar } = options
  const given = await openGivenKeys({ ...server, env })
  try {
    return await openAll(options, given, load)
  } catch (error) {
    given.close()
    throw error
  }
}

async function openAll(
  options: SecretsOptions,
  given: GivenKeys,
  load: () => Promise<KeychainCalls>,
): Promise<SecretStore> {
  const wrapping = await wrappingKeyOf(options)
  const sealedKeys = options.sealedKeys ?? (await openSealedFiles(options.dataDir))
  const isServer = wrapping !== null || options.sealedKeys !== undefined
  const [keychain, vault] = await Promise.all([
    isServer ? null : openKeychain(load),
    openVaultWith(sealedKeys, wrapping, options.env),
  ])
  const records = openRecords(sealedKeys)
  return withGivenKeys(storedSecrets({ ...options, records, keychain, vault }), given, records)
}

function wrappingKeyOf({ env, server = {} }: SecretsOptions): Promise<WrappingKey | null> {
  const value = env[vaultKeyVariable]
  const variable = value ? { name: vaultKeyVariable, value } : undefined
  return openWrappingKey({ variable, file: server.file, command: server.command })
}

async function openVaultWith(
  sealedKeys: SealedKeys,
  wrapping: WrappingKey | null,
  env: Environment,
): Promise<Vault | null> {
  if (wrapping !== null) return await openVault(sealedKeys, { kind: 'wrapping', wrapping })
  const passphrase = env['MODELPORT_VAULT_PASSPHRASE']
  return passphrase ? await openVault(sealedKeys, { kind: 'passphrase', passphrase }) : null
}

const vaultKeyVariable = 'MODELPORT_VAULT_KEY'
const vaultWays =
  'Set MODELPORT_VAULT_KEY, --vault-key-file, --vault-key-command or MODELPORT_VAULT_PASSPHRASE.'

async function loadKeytar(): Promise<KeychainCalls> {
  // Loaded when needed: its library may be missing on this computer, which must not crash Modelport.
  const { default: keytar } = await import('keytar')
  return keytar
}

interface Stores extends Pick<SecretsOptions, 'allowSession'> {
  records: SecretRecords
  /** Null on a server. */
  keychain: Keychain | null
  vault: Vault | null
}

interface SessionKey {
  secret: string
  origin: string
}

function storedSecrets(stores: Stores): StoredSecrets {
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
    if (entry !== null) await keychain?.delete(entry.account)
    await records.remove(keyName)
  }

  return {
    state: () => storeState(stores),
    names,
    sourceOf: () => null,
    get: async (keyName) => session.get(keyName)?.secret ?? (await find(stores, keyName)),
    boundTo: async (keyName) =>
      session.get(keyName)?.origin ?? (await records.read(keyName))?.origin ?? null,
    set,
    bindVariable: async () => false,
    delete: remove,
    async deleteAll(providerId) {
      for (const keyName of await names(providerId)) await remove(keyName)
    },
    async retry() {
      await keychain?.probe()
      if (storeState(stores).state === 'ready') {
        for (const [keyName, { secret, origin }] of session) await set(keyName, secret, origin)
      }
      return storeState(stores)
    },
    rewrapVault: (sources) => rewrap(stores.vault, sources),
    onChange: () => undefined,
    close: () => undefined,
  }
}

async function rewrap(vault: Vault | null, sources: WrappingKeySources): Promise<void> {
  const wrapping = await openWrappingKey(sources)
  if (vault === null || wrapping === null) {
    throw new SecretStoreError(`There is no key for the vault. ${vaultWays}`)
  }
  await vault.rewrap(wrapping)
}

function storeState({ keychain, vault, allowSession }: Stores): SecretsState {
  if (keychain === null) return vaultState(vault)
  const keychainState = keychain.state()
  if (keychainState.state === 'ready') return { backend: 'keychain', ...keychainState }
  if (vault !== null) return vaultState(vault)
  if (!allowSession) return { backend: 'keychain', ...keychainState }
  const message = `Keys entered now are forgotten when the app quits. ${keychainState.message}`
  return { backend: 'session', state: keychainState.state, message }
}

function vaultState(vault: Vault | null): SecretsState {
  if (vault !== null) return { backend: 'vault', ...vault.state() }
  const message = `Keys cannot be stored, because the vault has no key. ${vaultWays} Or give a key as MODELPORT_KEY_<PROVIDER ID>, or as a file of --secrets-dir.`
  return { backend: 'vault', state: 'missing', message }
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
  if (keychain !== null && storeState(stores).backend === 'keychain') {
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
  if (record.backend === 'keychain') {
    if (stores.keychain === null) throw new SecretStoreError(inKeychain(keyName))
    return stores.keychain.get(record.account)
  }
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
  return `The key of "${keyName}" is in the vault, which is closed. ${vaultWays} Or enter the key again.`
}

function inKeychain(keyName: string): string {
  return `The key of "${keyName}" is in the keychain of a computer, which a vault with a key does not use. Enter the key again.`
}
