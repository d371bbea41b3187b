/**
 * Keys that the environment or a file gives to a provider: read only, and first in the order. The variable
 * `MODELPORT_KEY_<ID>` comes before a file of the secrets folder, and both before the vendor's usual variable.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretRecords } from './records.ts'
import {
  SecretStoreError,
  type FoundVariable,
  type SecretStore,
  type StoredSecrets,
} from './secret-store.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface GivenKeysOptions {
  env: Environment
  /** A folder with one file per provider, named by the provider's id, as Docker and Kubernetes mount secrets. */
  secretsDir?: string | undefined
  /** Whether to read vendors' own variables too, such as `OPENAI_API_KEY`. */
  usesVendorVariables?: boolean | undefined
  /** How often the folder is read again. */
  checkMs?: number | undefined
}

/** The keys that one provider was given. */
interface GivenSecrets {
  /** Source of the keys, worded to end a sentence: `the variable X`. */
  source: string
  /** What the user does to enter another key. */
  wayOut: string
  byName: ReadonlyMap<string, string>
}

export interface GivenKeys {
  /** @returns null for a provider without given keys @throws SecretStoreError for a file that cannot be used */
  secretsOf(providerId: string): GivenSecrets | null
  /** The variable that usually has a key for this type of provider, whether or not it is in use; null without one. */
  variableFor(type: string): FoundVariable | null
  /** Called with a provider's id when its file changed. */
  onChange(listener: (providerId: string) => void): void
  close(): void
}

/** `my-openai` is read from `MODELPORT_KEY_MY_OPENAI`. */
function secretVariable(providerId: string): string {
  return `MODELPORT_KEY_${inCapitals(providerId)}`
}

/** Whether a variable has a provider's key or another secret of a server. Windows ignores the case of names. */
export function isSecretVariable(name: string): boolean {
  return /^MODELPORT_(KEY_|(VAULT_PASSPHRASE|VAULT_KEY|DATABASE_URL|SHARED_URL|SHARED_KEY)$)/i.test(
    name,
  )
}

/** Google's own libraries read this one. */
const vendorVariables: Readonly<Record<string, string>> = { google: 'GEMINI_API_KEY' }

function vendorVariable(providerId: string): string {
  return vendorVariables[providerId] ?? `${inCapitals(providerId)}_API_KEY`
}

function inCapitals(providerId: string): string {
  return providerId.toUpperCase().replaceAll('-', '_')
}

/** Tools are given a key of Modelport in a vendor's variable. */
function isVendors(secret: string): boolean {
  return !secret.startsWith('mp_')
}

/** The provider whose key has this name. */
export function providerOf(keyName: string): string {
  return keyName.split('.', 1)[0] ?? keyName
}

const defaultCheckMs = 2_000

/** @throws SecretStoreError when the secrets folder cannot be read */
export async function openGivenKeys(options: GivenKeysOptions): Promise<GivenKeys> {
  const { env, secretsDir, usesVendorVariables, checkMs = defaultCheckMs } = options
  const files = secretsDir === undefined ? null : await watchSecretFiles(secretsDir, checkMs)

  function fromVariable(name: string, providerId: string): GivenSecrets | null {
    const byName = namedSecrets(providerId, env[name])
    const wayOut = 'Unset the variable first.'
    return byName.size === 0 ? null : { source: `the variable ${name}`, wayOut, byName }
  }

  return {
    secretsOf(providerId) {
      return (
        fromVariable(secretVariable(providerId), providerId) ??
        files?.secretsOf(providerId) ??
        (usesVendorVariables ? fromVariable(vendorVariable(providerId), providerId) : null)
      )
    },
    variableFor(type) {
      // The variable of an address means that the key belongs to another server.
      if (env[`${inCapitals(type)}_BASE_URL`]) return null
      for (const name of [secretVariable(type), vendorVariable(type)]) {
        const [secret] = namedSecrets(type, env[name]).values()
        if (secret !== undefined && isVendors(secret)) return { name, secret }
      }
      return null
    },
    onChange: (listener) => files?.onChange(listener),
    close: () => files?.close(),
  }
}

/**
 * The keys in a variable or file, by name: `<id>`, `<id>.2`, `<id>.3`. Commas separate them, unless the
 * value is JSON, such as a service account. Empty for an empty value.
 */
function namedSecrets(providerId: string, text = ''): Map<string, string> {
  const value = text.trim()
  const secrets = value.startsWith('{') ? [value] : value.split(',').map((part) => part.trim())
  const named = secrets.filter((secret) => secret !== '')
  return new Map(
    named.map((secret, index) => [index === 0 ? providerId : `${providerId}.${index + 1}`, secret]),
  )
}

/** A file's text, or why it cannot be read. */
type FileContent = { text: string } | { problem: string }

/**
 * Reads all files of the folder again and again. Watching by the system would miss changes: Kubernetes replaces a
 * symbolic link above the files.
 */
async function watchSecretFiles(
  folder: string,
  checkMs: number,
): Promise<Omit<GivenKeys, 'variableFor'>> {
  let contents = await readFiles(folder)
  const listeners: ((providerId: string) => void)[] = []
  const timer = setInterval(() => void check(), checkMs)
  timer.unref()

  async function check(): Promise<void> {
    const before = contents
    try {
      contents = await readFiles(folder)
    } catch {
      // The folder is gone for a moment while a mount is replaced; the known keys stay in use.
      return
    }
    const ids = new Set([...before.keys(), ...contents.keys()])
    for (const id of ids) {
      if (JSON.stringify(before.get(id)) === JSON.stringify(contents.get(id))) continue
      for (const listener of listeners) listener(id)
    }
  }

  return {
    secretsOf(providerId) {
      const content = contents.get(providerId)
      if (content === undefined) return null
      const source = `the file ${join(folder, providerId)}`
      if ('problem' in content) throw new SecretStoreError(content.problem)
      const byName = namedSecrets(providerId, content.text)
      if (byName.size === 0) {
        throw new SecretStoreError(`${capitalized(source)} is empty. Write the key into it.`)
      }
      return { source, wayOut: 'Change the file, or remove it first.', byName }
    },
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  }
}

/** The names of files that can be providers; Kubernetes adds entries that begin with two dots. */
const providerFile = /^[a-z0-9][a-z0-9-]{0,63}$/

/** @throws SecretStoreError when the folder cannot be read */
async function readFiles(folder: string): Promise<Map<string, FileContent>> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (cause) {
    const message = `The secrets folder ${folder} cannot be read. Create it, or start without --secrets-dir.`
    throw new SecretStoreError(message, { cause })
  }
  const contents = new Map<string, FileContent>()
  for (const name of names.filter((file) => providerFile.test(file))) {
    const content = await readContent(join(folder, name))
    if (content !== null) contents.set(name, content)
  }
  return contents
}

/** @returns null for a folder, and for a file that was removed meanwhile */
async function readContent(file: string): Promise<FileContent | null> {
  try {
    return { text: await readFile(file, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'EISDIR' || code === 'ENOENT') return null
    return { problem: `The file ${file} cannot be read (${code}). Let Modelport's user read it.` }
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A store in which the given keys of a provider hide those that `stored` has for it. */
export function withGivenKeys(
  stored: StoredSecrets,
  given: GivenKeys,
  records: SecretRecords,
): SecretStore {
  const givenFor = (keyName: string) => given.secretsOf(providerOf(keyName))
  return {
    ...stored,
    async names(providerId) {
      const keys = given.secretsOf(providerId)
      return keys !== null ? [...keys.byName.keys()] : await stored.names(providerId)
    },
    sourceOf: (providerId) => given.secretsOf(providerId)?.source ?? null,
    variableFor: given.variableFor,
    async get(keyName) {
      const keys = givenFor(keyName)
      return keys !== null ? (keys.byName.get(keyName) ?? null) : await stored.get(keyName)
    },
    async boundTo(keyName) {
      return givenFor(keyName) !== null
        ? await records.readVariable(providerOf(keyName))
        : await stored.boundTo(keyName)
    },
    async set(keyName, secret, origin) {
      const keys = givenFor(keyName)
      if (keys === null) return await stored.set(keyName, secret, origin)
      if (keys.byName.get(keyName) !== secret) throw readOnly(keys)
      // The user names the given key itself: this binds it to the new address.
      await records.writeVariable(providerOf(keyName), origin)
    },
    async bindVariable(providerId, origin) {
      if (given.secretsOf(providerId) === null) return false
      await records.writeVariable(providerId, origin)
      return true
    },
    async delete(keyName) {
      const keys = givenFor(keyName)
      if (keys !== null) throw readOnly(keys)
      await stored.delete(keyName)
    },
    async deleteAll(providerId) {
      await stored.deleteAll(providerId)
      await records.removeVariable(providerId)
    },
    onChange: (listener) => given.onChange(listener),
    close: () => given.close(),
  }
}

function readOnly({ source, wayOut }: GivenSecrets): SecretStoreError {
  return new SecretStoreError(`This key comes from ${source}. ${wayOut}`)
}
