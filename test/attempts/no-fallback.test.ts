/** A router that tries one model only and returns its failure. */
import { expect, test } from 'vitest'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

const routing = routingSettingsSchema.parse({ fallback: false })
const fails = { reply: errorReply(500) }
const works = { text: 'Second.' }

test.each([false, true])(
  'only the first one is tried, and its failure is the answer (stream %s)',
  async (stream) => {
    const { post, fake, ledger } = await startTestService({
      models: { first: fails, second: works },
      router: { routing },
    })

    const answer = await post('chat/completions', { ...hello, stream })
    const body = await answer.text()

    expect(answer.status).toBe(503)
    expect(answer.headers.get('x-should-retry')).toBeNull()
    expect(body).toContain('fake:first: the provider answered with status 500')
    expect(body).not.toContain('fake:second')
    expect(fake.requests.map(({ model }) => model)).toEqual(['first', 'first', 'first'])
    expect(await ledger(1)).toMatchObject([{ status: 503, attempts: 3, modelUsed: null }])
  },
)

test('a working model answers as usual', async () => {
  const { post } = await startTestService({ models: { first: works }, router: { routing } })

  const answer = await post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ model: 'fake:first' })
})

test('a slow model is not hedged', async () => {
  const { post, fake } = await startTestService({
    models: { first: { text: 'First.', firstByteDelayMs: 500 }, second: works },
    router: { routing, hedge: { afterMs: 100, maxExtraPercent: 100 } },
  })

  const answer = await post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ model: 'fake:first' })
  expect(fake.requestCount()).toBe(1)
})

test('deployments of one model still share the requests', async () => {
  const { service, post, fake, routerId } = await startTestService({
    models: { twin: { text: 'Twin.', firstByteDelayMs: 100 } },
  })
  const { dashboard } = service
  const [, first] = await dashboard.providers()
  await dashboard.addProvider({
    id: 'other',
    type: 'openai-compatible',
    baseUrl: first?.baseUrl ?? '',
    apiKey: 'sk-other-provider-key',
  })
  const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 100_000 }
  await dashboard.saveModel({ id: 'other:twin', ...figures })
  await dashboard.saveModel({ id: 'fake:twin', ...figures })
  await dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'cost_optimized',
    models: ['fake:twin', 'other:twin'],
    routing,
  })

  await Promise.all(Array.from({ length: 12 }, () => post('chat/completions', hello)))

  const keys = new Set(fake.requests.map(({ headers }) => headers.authorization))
  expect(keys).toEqual(new Set(['Bearer sk-fake-provider-key', 'Bearer sk-other-provider-key']))
})
