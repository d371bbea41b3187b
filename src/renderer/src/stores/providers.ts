import { create } from 'zustand'
import type { ProviderChanges, ProviderInput, ProviderTest } from '../../../shared/entities.ts'
import type { AddedKey } from '../../../shared/models/provider-key.ts'
import type { TestedProvider } from '../../../shared/tested-provider.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'
import { loadModels } from './models.ts'

export const useProviders = createListStore(() => call('providers:list'))
export const useProviderTypes = createListStore(() => call('providers:types'))

/** The result of the last test by provider id; `running` while it runs. */
export const useProviderTests = create<Record<string, ProviderTest | 'running'>>(() => ({}))

/** Adds a provider if its test succeeds; otherwise nothing is stored. @throws CallError with the invalid field */
export async function addTestedProvider(input: ProviderInput): Promise<TestedProvider> {
  const outcome = await call('providers:add-tested', input)
  await noteAdded(outcome)
  return outcome
}

/** Reads the lists again after a provider was added. */
export async function noteAdded({ provider, test }: TestedProvider): Promise<void> {
  if (!provider) return
  useProviderTests.setState({ [provider.id]: test })
  await Promise.all([useProviders.getState().load(), loadModels()])
}

/** Adds a provider that cannot be reached yet. @throws CallError with the invalid field */
export async function addUntestedProvider(input: ProviderInput): Promise<void> {
  await call('providers:add', input)
  await Promise.all([useProviders.getState().load(), loadModels()])
}

/** Changes and tests a provider. The window does not keep the key. @throws CallError with the invalid field */
export async function updateProvider(id: string, changes: ProviderChanges): Promise<void> {
  await call('providers:update', { id, changes })
  await useProviders.getState().load()
  await testProvider(id)
}

/** Saves a key and tests it. The window does not keep the key. @throws CallError when it cannot be saved */
export async function setProviderKey(id: string, apiKey: string): Promise<void> {
  await call('providers:set-key', { id, apiKey })
  await useProviders.getState().load()
  await testProvider(id)
}

/** Adds a key and tests the provider. The window does not keep the key. @throws CallError */
export async function addProviderKey(id: string, key: AddedKey): Promise<void> {
  await call('providers:add-key', { id, key })
  await useProviders.getState().load()
  await testProvider(id)
}

/** @throws CallError for the only key of a provider that needs one */
export async function removeProviderKey(id: string, name: string): Promise<void> {
  await call('providers:remove-key', { id, name })
  await useProviders.getState().load()
}

/** Requests the models of a provider. The result is in `useProviderTests`. Never rejects. */
export async function testProvider(id: string): Promise<void> {
  useProviderTests.setState({ [id]: 'running' })
  const outcome = await call('providers:test', { id }).catch((error: unknown): ProviderTest => ({
    ok: false,
    problem: 'error',
    message: error instanceof Error ? error.message : String(error),
  }))
  useProviderTests.setState({ [id]: outcome })
  await Promise.all([useProviders.getState().load(), loadModels()])
}

/** @throws CallError when a router still uses one of its models */
export async function removeProvider(id: string): Promise<void> {
  await call('providers:remove', { id })
  useProviderTests.setState((tests) => {
    const { [id]: _gone, ...others } = tests
    return others
  }, true)
  await Promise.all([useProviders.getState().load(), loadModels()])
}
