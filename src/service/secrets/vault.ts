/**
 * The vault, for computers without a keychain: keys encrypted with AES-256-GCM. Its header contains a known encrypted
 * text, which detects a wrong passphrase or key before anything is written. The records contain the encrypted keys.
 *
 * The data key comes from a passphrase by scrypt, or is random and wrapped by a key of the server (version 2). A new
 * wrapping replaces only the header, and keys that are already encrypted stay as they are.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { keyBytes } from './encryption-key.ts'
import { seal, sealedSchema, unseal, type Sealed } from './seal.ts'
import { vaultId, type SealedKeys } from './sealed-keys.ts'
import { SecretStoreError } from './secret-store.ts'
import type { WrappingKey } from './wrapping-key.ts'

const kdf = 'scrypt-131072-8-1'
const headerSchema = z.discriminatedUnion('version', [
  z.strictObject({
    version: z.literal(1),
    kdf: z.literal(kdf),
    salt: z.base64(),
    check: sealedSchema,
  }),
  z.strictObject({ version: z.literal(2), wrapped: z.string().min(1), check: sealedSchema }),
])
type Header = z.infer<typeof headerSchema>

/** 128 MiB and a few tenths of a second per guess (OWASP's first choice for scrypt). */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
const checkName = 'vault check'

/** The key that opens the vault. */
export type VaultKey =
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'wrapping'; wrapping: WrappingKey }

export interface Vault {
  /** `locked`: the passphrase or key is wrong, or its command failed. */
  state(): { state: 'ready' | 'locked'; message: string }
  /** `name` is authenticated with the text, so a record renamed to another provider does not open. */
  seal(name: string, text: string): Promise<Sealed>
  /** @throws SecretStoreError when the key and the record do not match */
  unseal(name: string, sealed: Sealed): Promise<string>
  /** Wraps the data key with another key from now on. @throws SecretStoreError */
  rewrap(wrapping: WrappingKey): Promise<void>
}

type Opened =
  /** There is no header yet; storing the first key creates it. */
  | { kind: 'unmade' }
  | { kind: 'open'; key: Buffer }
  /** `isLasting`: nothing but another start opens it. */
  | { kind: 'closed'; message: string; isLasting: boolean }

/** Opens the vault. A passphrase takes a few tenths of a second, off the main thread. */
export async function openVault(sealedKeys: SealedKeys, vaultKey: VaultKey): Promise<Vault> {
  let opened = await openStored(sealedKeys, vaultKey)

  async function requireKey(): Promise<Buffer> {
    // The command of a key management service may work again.
    if (opened.kind === 'closed' && !opened.isLasting)
      opened = await openStored(sealedKeys, vaultKey)
    if (opened.kind === 'unmade') opened = await makeHeader(sealedKeys, vaultKey)
    if (opened.kind === 'open') return opened.key
    throw new SecretStoreError(
      opened.kind === 'closed' ? opened.message : 'The vault does not exist.',
    )
  }

  return {
    state: () =>
      opened.kind === 'closed'
        ? { state: 'locked', message: opened.message }
        : { state: 'ready', message: readyMessage(vaultKey) },
    seal: async (name, text) => seal(await requireKey(), name, text),
    async unseal(name, sealed) {
      const text = unseal(await requireKey(), name, sealed)
      if (text === null) {
        const message = `The key of "${name}" in the vault is damaged. Enter the key again.`
        throw new SecretStoreError(message)
      }
      return text
    },
    async rewrap(wrapping) {
      const header = await wrappedHeader(await requireKey(), wrapping)
      await sealedKeys.save(vaultId, JSON.stringify(header))
    },
  }
}

function readyMessage(vaultKey: VaultKey): string {
  return vaultKey.kind === 'passphrase'
    ? 'Provider keys are stored in the passphrase vault.'
    : `Provider keys are stored in the vault, encrypted with ${vaultKey.wrapping.name}.`
}

async function openStored(sealedKeys: SealedKeys, vaultKey: VaultKey): Promise<Opened> {
  const text = await sealedKeys.read(vaultId)
  return text === null ? { kind: 'unmade' } : await openHeader(text, vaultKey)
}

async function makeHeader(sealedKeys: SealedKeys, vaultKey: VaultKey): Promise<Opened> {
  const header =
    vaultKey.kind === 'wrapping'
      ? await wrappedHeader(randomBytes(keyBytes), vaultKey.wrapping)
      : await passphraseHeader(vaultKey.passphrase)
  // Another process may have created it in the meantime; its text is used then.
  return await openHeader(await sealedKeys.create(vaultId, JSON.stringify(header)), vaultKey)
}

async function passphraseHeader(passphrase: string): Promise<Header> {
  const salt = randomBytes(16)
  const check = checkOf(await deriveKey(passphrase, salt))
  return { version: 1, kdf, salt: salt.toString('base64'), check }
}

async function wrappedHeader(dataKey: Buffer, wrapping: WrappingKey): Promise<Header> {
  return { version: 2, wrapped: await wrapping.wrap(dataKey), check: checkOf(dataKey) }
}

function checkOf(dataKey: Buffer): Sealed {
  return seal(dataKey, checkName, checkName)
}

async function openHeader(text: string, vaultKey: VaultKey): Promise<Opened> {
  const header = parseHeader(text)
  if (header === null) return closed(damaged)
  try {
    const key = await dataKeyOf(header, vaultKey)
    if (typeof key === 'string') return closed(key)
    if (unseal(key, checkName, header.check) !== null) return { kind: 'open', key }
    return closed(wrongKey(vaultKey))
  } catch (error) {
    if (!(error instanceof SecretStoreError)) throw error
    return { kind: 'closed', message: error.message, isLasting: false }
  }
}

function closed(message: string): Opened {
  return { kind: 'closed', message, isLasting: true }
}

/** The data key, or the reason why this vault key has none. @throws SecretStoreError when the command fails */
async function dataKeyOf(header: Header, vaultKey: VaultKey): Promise<Buffer | string> {
  if (header.version === 1) {
    if (vaultKey.kind === 'wrapping') return hasPassphrase
    return await deriveKey(vaultKey.passphrase, Buffer.from(header.salt, 'base64'))
  }
  if (vaultKey.kind === 'passphrase') return hasWrappingKey
  return (await vaultKey.wrapping.unwrap(header.wrapped)) ?? wrongKey(vaultKey)
}

function parseHeader(text: string): Header | null {
  try {
    return headerSchema.parse(JSON.parse(text))
  } catch {
    // Damaged or from a newer version: the message names the record either way.
    return null
  }
}

function wrongKey(vaultKey: VaultKey): string {
  return vaultKey.kind === 'passphrase'
    ? 'MODELPORT_VAULT_PASSPHRASE does not open the vault. Start again with the passphrase that created the vault.'
    : `The vault was encrypted with another key than ${vaultKey.wrapping.name}. Start again with the key that encrypted it.`
}

const damaged =
  'The vault cannot be read: vault.json in the data folder, or its row in the database, is damaged or from a newer version.'
const hasPassphrase =
  'The vault has a passphrase. Start with MODELPORT_VAULT_PASSPHRASE, or change it to a key with "modelport vault rewrap".'
const hasWrappingKey =
  'The vault has a key, not a passphrase. Start with MODELPORT_VAULT_KEY, --vault-key-file or --vault-key-command.'

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards and systems compose accents differently.
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
