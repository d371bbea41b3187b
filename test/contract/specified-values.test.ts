/** Values that the specification states, at every endpoint that answers: they hold on both ways in. */
import { beforeAll, describe, expect, test } from 'vitest'
import { apply, echo, prompt } from '../agents/sample-agent.ts'
import { errorReply } from '../fake-provider.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

interface Endpoint {
  form: string
  path(model: string): string
  body: object
  /** Puts a temperature where the form has its place. */
  tempered(temperature: unknown): object
}

const generate = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const flat = (form: string, path: string, body: object): Endpoint => ({
  form,
  path: () => path,
  body,
  tempered: (temperature) => ({ ...body, temperature }),
})
const endpoints: readonly Endpoint[] = [
  flat('chat', 'v1/chat/completions', hello),
  flat('completions', 'v1/completions', { prompt: 'Hello' }),
  flat('responses', 'v1/responses', { input: 'Hello' }),
  flat('messages', 'v1/messages', { ...hello, max_tokens: 50 }),
  {
    form: 'gemini',
    path: (model) => `v1beta/models/${model}:generateContent`,
    body: generate,
    tempered: (temperature) => ({ ...generate, generationConfig: { temperature } }),
  },
]

const limitedReply = errorReply(429, { retryAfterSeconds: 120 })
const network = { trustedProxies: ['127.0.0.1', '::1'] }

/** All forms ask these services. */
let ordinary: TestService
let behindProxy: TestService
let withAgent: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  ordinary = await startTestService({}, atEnd)
  behindProxy = await startTestService({ service: { network } }, atEnd)
  withAgent = await startTestService({ models: { m: echo } }, atEnd)
  await apply(withAgent, [
    prompt('first', { user: 'one {{ input }}' }),
    { id: 'joined', type: 'text', needs: ['first'], text: '{{ steps.first.output }}!' },
    prompt('last', { needs: ['joined'], user: '{{ steps.joined.output }}' }),
  ])
})

describe.each(endpoints)('of the $form form', ({ form, path, body, tempered }) => {
  test('an absent temperature is sent as 1', async () => {
    const { post, fake } = ordinary
    const before = fake.requestCount()

    const answer = await post(path('auto'), body)
    await post(path('auto'), tempered(0.5))

    expect(answer.headers.get('x-modelport-adjusted')).toBe('temperature=sent_as_1')
    const sent = fake.requests.slice(before)
    expect(sent.map((request) => request.body?.temperature)).toEqual([1, 0.5])
  })

  test('models that are all only rate-limited are a 503 with retry-after', async () => {
    const models = { one: { reply: limitedReply }, two: { reply: limitedReply } }
    // The first request after the limits: they pause the models for later ones.
    const { post } = await startTestService({ models })

    const answer = await post(path('auto'), body)

    expect(answer.status).toBe(503)
    // Codex sleeps for as long as it is told, so its form names a short wait.
    const leastSeconds = form === 'responses' ? 1 : 60
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(leastSeconds)
  })

  test('a value of a wrong type is a 400 that names the field and the expected type', async () => {
    const { post, fake } = ordinary
    const before = fake.requestCount()

    const answer = await post(path('auto'), tempered('warm'))

    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/temperature.*number/)
    expect(fake.requestCount()).toBe(before)
  })

  test('a named proxy that does not say it received TLS is a 426', async () => {
    const { post, fake } = behindProxy
    const before = fake.requestCount()

    const silent = await post(path('auto'), body)
    const told = await post(path('auto'), body, { headers: { 'x-forwarded-proto': 'https' } })

    expect([silent.status, told.status]).toEqual([426, 200])
    expect(await silent.text()).toContain('https_required')
    expect(fake.requestCount()).toBe(before + 1)
  })

  test('an agent counts each of its steps that ran, also those without a model', async () => {
    const model = 'agent:test'
    const named = form === 'gemini' ? body : { ...body, model }

    const answer = await withAgent.post(path(model), named)

    expect(await answer.text()).toMatch(/"steps_executed": ?3\b/)
  })
})

test('at embeddings, limits of all models, a silent proxy and a wrong type are answered so, too', async () => {
  const { post, service } = await startTestService({
    models: { vectors: { reply: limitedReply } },
    service: { network },
  })
  await service.dashboard.saveModel({
    id: 'fake:vectors',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 0,
    capabilities: ['embeddings'],
  })
  const headers = { 'x-forwarded-proto': 'https' }

  const silent = await post('v1/embeddings', { input: 'Hello' })
  const wrong = await post('v1/embeddings', { input: 'Hello', dimensions: 'many' }, { headers })
  const refused = await post('v1/embeddings', { input: 'Hello' }, { headers })

  expect([silent.status, wrong.status, refused.status]).toEqual([426, 400, 503])
  expect(await wrong.text()).toMatch(/dimensions.*integer/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
})
