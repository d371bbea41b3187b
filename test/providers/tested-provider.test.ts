/** Providers that are added only if their key works, and the list of all models. */
import { beforeAll, afterAll, expect, test } from 'vitest'
import { startFakeProvider, type FakeProvider } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let started: TestService
let upstream: FakeProvider
const atEnd = endOfGroup()
beforeAll(async () => {
  upstream = await startFakeProvider({ apiKey: 'sk-right', tls: false, models: { 'gpt-x': {} } })
  started = await startTestService({}, atEnd)
})
afterAll(() => upstream.close())

const input = (id: string, apiKey: string) => ({
  id,
  type: 'openai-compatible',
  baseUrl: upstream.url,
  apiKey,
})

test('a provider whose key is refused is not added, and neither is its key', async () => {
  const { dashboard } = started.service

  const outcome = await dashboard.addTestedProvider(input('wrong', 'sk-wrong'))

  expect(outcome).toMatchObject({ provider: null, test: { ok: false, problem: 'key_rejected' } })
  expect((await dashboard.providers()).map(({ id }) => id)).not.toContain('wrong')
  // The id is free, and no key of the attempt is found.
  const again = await dashboard.addProvider({ ...input('wrong', ''), apiKey: undefined })
  expect(again.hasKey).toBe(false)
})

test('a provider whose key works is added with its models and its health', async () => {
  const { dashboard } = started.service

  const { provider, test: outcome } = await dashboard.addTestedProvider(input('right', 'sk-right'))

  expect(outcome).toMatchObject({ ok: true, models: ['gpt-x'] })
  expect(provider).toMatchObject({ id: 'right', hasKey: true, health: { status: 'ok' } })
  expect((await dashboard.models()).map(({ id }) => id)).toContain('right:gpt-x')
})

test('an invalid provider is refused before it is tested', async () => {
  const { dashboard } = started.service
  const before = upstream.requests.length

  await expect(dashboard.addTestedProvider(input('fake', 'sk-right'))).rejects.toMatchObject({
    code: 'conflict',
    field: 'id',
  })
  expect(upstream.requests).toHaveLength(before)
})

test('all models are listed with the source of each fact, those of the user first', async () => {
  const listed = await started.service.dashboard.listedModels()

  const own = listed.filter(({ isOwn }) => isOwn)
  expect(listed.slice(0, own.length)).toEqual(own)
  expect(own.map(({ model }) => model.id)).toContain('fake:fake-model')
  const vendor = listed.find(({ model }) => model.id === 'anthropic:claude-haiku-4-5')
  expect(vendor).toMatchObject({ isOwn: false, providerType: 'anthropic', typeName: 'Anthropic' })
  expect(vendor?.sources.capabilities?.asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
  const { low, mid, high } = vendor?.energy ?? { low: 0, mid: 0, high: 0 }
  expect(low).toBeLessThan(mid)
  expect(mid).toBeLessThan(high)
})
