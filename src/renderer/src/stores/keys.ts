import type { ApiKeyInput } from '../../../shared/entities.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useKeys = createListStore(() => call('keys:list'))

/** The new key, held by nobody but the caller, who wipes it after showing it once. */
export interface ShownKey {
  key: string
  readonly name: string
}

/** Ends the showing: whoever still holds the object holds no key. */
export function forgetKey(shown: ShownKey): void {
  shown.key = ''
}

/** @throws CallError naming the field that is wrong */
export async function createKey(input: ApiKeyInput): Promise<ShownKey> {
  const { key, apiKey } = await call('keys:create', input)
  await useKeys.getState().load()
  return { key, name: apiKey.name }
}

/** @throws CallError when the key is gone */
export async function revokeKey(id: string): Promise<void> {
  await call('keys:revoke', { id })
  await useKeys.getState().load()
}
