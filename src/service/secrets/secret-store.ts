/**
 * The stores of provider keys. Keys are never in the database, a log or an answer. The order is the same everywhere:
 * the environment, the OS keychain, the passphrase vault, this session's memory.
 */
import type { SecretsState } from '../../shared/ipc.ts'

export interface SecretStore {
  /** The store for the next secret and whether it works; makes no call. */
  state(): SecretsState
  /** @throws SecretStoreError when the store cannot be asked (locked, missing, hung) */
  get(providerId: string): Promise<string | null>
  /** @throws SecretStoreError when there is no durable store to write to */
  set(providerId: string, secret: string): Promise<void>
  delete(providerId: string): Promise<void>
  /** Tries the store again after it was locked, missing or hung. */
  retry(): Promise<SecretsState>
}

/** The store cannot be used now; `message` tells the user why and what to do. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError'
}
