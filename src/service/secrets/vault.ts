/**
 * The passphrase vault, for computers without a keychain: AES-256-GCM with a key that scrypt derives from the
 * passphrase. `vault.json` contains the salt and a known encrypted text, which detects a wrong passphrase before
 * anything is written. The records contain the encrypted keys.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { createFile, readIfThere } from '../files/durable-file.ts'
import { SecretStoreError } from './secret-store.ts'

const base64 = z.base64()
export const sealedSchema = z.strictObject({ nonce: base64, ciphertext: base64, tag: base64 })
export type Sealed = z.infer<typeof sealedSchema>

const kdf = 'scrypt-131072-8-1'
const headerSchema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal(kdf),
  salt: base64,
  check: sealedSchema,
})
type Header = z.infer<typeof headerSchema>

/** 128 MiB and a few tenths of a second per guess (OWASP's first choice for scrypt). */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
const checkName = 'vault check'

export interface Vault {
  /** `locked`: the passphrase is wrong. */
  state(): { state: 'ready' | 'locked'; message: string }
  /** `name` is authenticated with the text, so a record renamed to another provider does not open. */
  seal(name: string, text: string): Promise<Sealed>
  /** @throws SecretStoreError when passphrase and record do not match */
  unseal(name: string, sealed: Sealed): Promise<string>
}

type Opened =
  /** There is no `vault.json` yet; the first stored key creates it. */
  { kind: 'unmade' } | { kind: 'open'; key: Buffer } | { kind: 'closed'; message: string }

/** Opens the vault of a data folder; takes a few tenths of a second, off the main thread. */
export async function openVault(dataDir: string, passphrase: string): Promise<Vault> {
  const file = join(dataDir, 'vault.json')
  let opened = await openFile(file, passphrase)

  async function requireKey(): Promise<Buffer> {
    if (opened.kind === 'unmade') opened = await makeFile(file, passphrase)
    if (opened.kind === 'open') return opened.key
    throw new SecretStoreError(
      opened.kind === 'closed' ? opened.message : 'The vault does not exist.',
    )
  }

  return {
    state: () =>
      opened.kind === 'closed'
        ? { state: 'locked', message: opened.message }
        : { state: 'ready', message: 'Provider keys are stored in the passphrase vault.' },
    seal: async (name, text) => seal(await requireKey(), name, text),
    async unseal(name, sealed) {
      const text = unseal(await requireKey(), name, sealed)
      if (text === null) throw new SecretStoreError(`The vault's copy of "${name}" is damaged.`)
      return text
    },
  }
}

async function openFile(file: string, passphrase: string): Promise<Opened> {
  const text = await readIfThere(file)
  return text === null ? { kind: 'unmade' } : openHeader(text, passphrase)
}

async function makeFile(file: string, passphrase: string): Promise<Opened> {
  const salt = randomBytes(16)
  const check = seal(await deriveKey(passphrase, salt), checkName, checkName)
  const header: Header = { version: 1, kdf, salt: salt.toString('base64'), check }
  // Another process may have created it in the meantime; its text is used then.
  return openHeader(await createFile(file, JSON.stringify(header)), passphrase)
}

async function openHeader(text: string, passphrase: string): Promise<Opened> {
  const header = parseHeader(text)
  if (header === null) return { kind: 'closed', message: damaged }
  const key = await deriveKey(passphrase, Buffer.from(header.salt, 'base64'))
  if (unseal(key, checkName, header.check) === null) {
    return { kind: 'closed', message: wrongPassphrase }
  }
  return { kind: 'open', key }
}

function parseHeader(text: string): Header | null {
  try {
    return headerSchema.parse(JSON.parse(text))
  } catch {
    // Damaged or from a newer version: the message names the file either way.
    return null
  }
}

const wrongPassphrase =
  'MODELPORT_VAULT_PASSPHRASE does not open the vault. Start again with the passphrase that created the vault.'
const damaged =
  'The vault cannot be read: vault.json in the data folder is damaged or from a newer version.'

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards and systems compose accents differently.
    scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

function seal(key: Buffer, name: string, text: string): Sealed {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return {
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  }
}

/** Null if key, name and text do not match. */
function unseal(key: Buffer, name: string, sealed: Sealed): string | null {
  const nonce = Buffer.from(sealed.nonce, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  try {
    decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(sealed.tag, 'base64'))
    const start = decipher.update(Buffer.from(sealed.ciphertext, 'base64'))
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    // GCM reports a wrong key, name or text only by this error.
    return null
  }
}
