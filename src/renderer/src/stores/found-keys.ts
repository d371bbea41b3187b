import type { TestedProvider } from '../../../shared/tested-provider.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'
import { noteAdded } from './providers.ts'

/** The vendors' keys in the environment that no provider uses yet. */
export const useFoundKeys = createListStore(() => call('providers:found-keys'))

/** Adds the provider of a found key if its test succeeds. @throws CallError */
export async function addFoundKey(type: string): Promise<TestedProvider> {
  const outcome = await call('providers:add-found-key', { type })
  await Promise.all([noteAdded(outcome), useFoundKeys.getState().load()])
  return outcome
}
