/**
 * The real service with a router of a chat model and models for embeddings: `one:small` and `two:backup` are the same
 * model at two providers, `one:ada` is another one.
 */
import type { RouterInput } from '../../src/shared/entities.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const models = { chat: {}, small: {}, ada: {}, backup: {} }

export async function startEmbeddings(
  atEnd?: (end: () => Promise<void>) => void,
  scripts: Readonly<Record<string, FakeModelScript>> = {},
): Promise<TestService> {
  const running = await startTestService({ models: { ...models, ...scripts } }, atEnd)
  const { dashboard } = running.service
  const at = { type: 'openai-compatible', baseUrl: running.fake.url, apiKey: 'sk-fake' }
  const small = 'openai:text-embedding-3-small'
  const ada = 'openai:text-embedding-ada-002'
  await dashboard.addProvider({
    ...at,
    id: 'one',
    options: { 'model.small': small, 'model.ada': ada },
  })
  await dashboard.addProvider({ ...at, id: 'two', options: { 'model.backup': small } })
  await changeRouter(running, {})
  return running
}

/** The router with these fields and the others as at the start. */
export async function changeRouter(
  { service, routerId }: Pick<TestService, 'service' | 'routerId'>,
  fields: Partial<RouterInput>,
): Promise<void> {
  await service.dashboard.updateRouter(routerId, {
    name: 'Embeddings',
    strategy: 'balanced',
    models: ['fake:chat', 'one:small', 'one:ada', 'two:backup'],
    ...fields,
  })
}

/** The models of the upstream's requests so far, in their order. */
export function askedModels({ fake }: Pick<TestService, 'fake'>): (string | null)[] {
  return fake.requests.map(({ model }) => model)
}
