/**
 * The stores of provider keys. Keys are never in a log or an answer, and never unencrypted in a file or database of
 * Modelport. The order is the same everywhere: the environment, the secrets folder, the OS keychain, the vault, this
 * session's memory.
 *
 * A provider's first key has the provider's id as its name, another key of its pool `<id>.<name>`. Each key is
 * bound to an address (scheme, host and port), and is sent to no other.
 */
import type { SecretsState } from '../../shared/app/app-state.ts'

export interface SecretStore {
  /** The store for the next secret and whether it works; makes no call. */
  state(): SecretsState
  /**
   * The names of the provider's keys, its first key before the others. Keys of the environment or a file hide all others.
   * Does not call the keychain.
   */
  names(providerId: string): Promise<string[]>
  /** The variable or file that gives the provider's keys, such as `the variable X`; null for stored keys. @throws SecretStoreError */
  sourceOf(providerId: string): string | null
  /** The variable that usually has a key for this type of provider, whether or not it is in use; null without one. */
  variableFor(type: string): FoundVariable | null
  /** @throws SecretStoreError when the store cannot be asked (locked, missing, hung) */
  get(keyName: string): Promise<string | null>
  /** The address that the key belongs to; null for one of a variable or file that was never used. @throws SecretStoreError */
  boundTo(keyName: string): Promise<string | null>
  /** @throws SecretStoreError when there is no durable store to write to, and for a key of the environment or a file */
  set(keyName: string, secret: string, origin: string): Promise<void>
  /** Binds the keys of the provider's variable or file to the address. Resolves false without any. */
  bindVariable(providerId: string, origin: string): Promise<boolean>
  /** @throws SecretStoreError for a key of the environment or a file */
  delete(keyName: string): Promise<void>
  deleteAll(providerId: string): Promise<void>
  /** Tries the store again after it was locked, missing or hung. */
  retry(): Promise<SecretsState>
  /** Encrypts the vault's data key with another key; the stored keys stay as they are. @throws SecretStoreError */
  rewrapVault(sources: WrappingKeySources): Promise<void>
  /** Called with a provider's id when its file in the secrets folder changed. */
  onChange(listener: (providerId: string) => void): void
  close(): void
}

/** The stores that Modelport writes to. */
export type StoredSecrets = Omit<SecretStore, 'variableFor'>

/** A variable with a key, and its first key. */
export interface FoundVariable {
  name: string
  secret: string
}

/** Sources of the key that encrypts the vault's data key; at most one may be set. */
export interface WrappingKeySources {
  /** A variable with 32 bytes in base64. */
  variable?: { name: string; value: string } | undefined
  /** A file with the same text. */
  file?: string | undefined
  /** A program that wraps and unwraps the data key. */
  command?: string | undefined
}

/** The store cannot be used now; `message` tells the user why and what to do. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError'
}
