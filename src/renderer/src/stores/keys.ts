import type { ApiKey, ApiKeyInput } from '../../../shared/entities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useKeys = createListStore(() => call('keys:list'))

/** A new key. The caller shows it once and then wipes it with `forgetKey`. */
export interface ShownKey {
  key: string
  readonly name: string
  /** The routers that accept the key. */
  readonly routers: ApiKey['routers']
}

/** Wipes the key from the object. */
export function forgetKey(shown: ShownKey): void {
  shown.key = ''
}

/** @throws CallError with the invalid field */
export async function createKey(input: ApiKeyInput): Promise<ShownKey> {
  const { key, apiKey } = await call('keys:create', input)
  await useKeys.getState().load()
  return { key, name: apiKey.name, routers: apiKey.routers }
}

/** @throws CallError when the key does not exist */
export async function revokeKey(id: string): Promise<void> {
  await call('keys:revoke', { id })
  await useKeys.getState().load()
}
