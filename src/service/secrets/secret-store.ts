/**
 * Where provider keys live: never in the database, a log or an answer. One order everywhere
 * (contract section 8): the environment, the OS keychain, the passphrase vault, this session's memory.
 */
import type { SecretsState } from '../../shared/ipc.ts'

export interface SecretStore {
  /** Where the next secret would be written and whether that works; reading it makes no call. */
  state(): SecretsState
  /** @throws SecretStoreError when the store cannot be asked (locked, missing, hung) */
  get(providerId: string): Promise<string | null>
  /** @throws SecretStoreError when there is no durable store to write to */
  set(providerId: string, secret: string): Promise<void>
  delete(providerId: string): Promise<void>
  /** Asks the store again after it was locked, missing or hung. */
  retry(): Promise<SecretsState>
}

/** The store cannot be used now; `message` names the state and the ways out, for a person. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError'
}
