/** `x-modelport-fallback`: which model was the first choice, and why it did not answer. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorReply, invalidJsonReply, type FakeModel } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { startCascaded } from './start-cascaded.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const works: FakeModel = { text: 'Works.' }
const unavailable: FakeModel = { reply: errorReply(503) }

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({ models: { first: works, second: works } }, atEnd)
})

/** A success resets the count of failures in a row. */
beforeEach(async () => {
  running.fake.setModel('first', works)
  await running.post('chat/completions', hello)
})

async function fallback(path = 'chat/completions', body: object = hello): Promise<string | null> {
  const answer = await running.post(path, body)
  await answer.text()
  return answer.headers.get('x-modelport-fallback')
}

const message = { ...hello, max_tokens: 10 }
const doors: [path: string, body: object][] = [
  ['chat/completions', hello],
  ['v1/messages', message],
  ['v1/completions', { prompt: 'Hello' }],
  ['v1/responses', { input: 'Hello' }],
]

describe.each(doors)('at %s', (path, body) => {
  test.each([false, true])(
    'the header names the model that failed and the reason (stream %s)',
    async (stream) => {
      running.fake.setModel('first', unavailable)

      expect(await fallback(path, { ...body, stream })).toBe(
        'from="fake:first", reason=unavailable',
      )
    },
  )

  test('an answer of the first choice has no such header', async () => {
    expect(await fallback(path, body)).toBeNull()
  })
})

test('a key that the provider rejects is the reason auth, also when its models are skipped', async () => {
  const { post, service, fake } = await startTestService({ models: { second: works } })
  await service.dashboard.addProvider({
    id: 'locked',
    type: 'openai-compatible',
    baseUrl: fake.url,
    apiKey: 'sk-wrong',
  })
  await service.dashboard.saveModel({
    id: 'locked:m',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 10_000,
  })
  fake.setModel('m', { reply: errorReply(401) })
  const router = await service.dashboard.createRouter({
    name: 'Locked first',
    strategy: 'priority',
    models: ['locked:m', 'fake:second'],
  })
  const url = `../${router.id}/chat/completions`

  const answers = [await post(url, hello), await post(url, hello)]

  expect(fake.requests.filter(({ model }) => model === 'm')).toHaveLength(1)
  for (const { headers } of answers) {
    expect(headers.get('x-modelport-fallback')).toBe('from="locked:m", reason=auth')
  }
})

test('a body that is not JSON is the reason invalid_response', async () => {
  running.fake.setModel('first', { reply: invalidJsonReply })

  expect(await fallback()).toBe('from="fake:first", reason=invalid_response')
})

test('a model that is skipped because it failed five times in a row is paused', async () => {
  const { post, fake } = await startTestService({ models: { first: unavailable, second: works } })
  for (let nth = 0; nth < 5; nth += 1) await post('chat/completions', hello)
  const before = fake.requestCount()

  const { headers } = await post('chat/completions', hello)

  expect(fake.requestCount()).toBe(before + 1)
  expect(headers.get('x-modelport-fallback')).toBe('from="fake:first", reason=paused')
})

test('a model that is skipped because it rate limits has the same reason as one that was tried', async () => {
  const first = { reply: errorReply(429, { retryAfterSeconds: 60 }) }
  const { post, fake } = await startTestService({ models: { first, second: works } })

  const tried = await post('chat/completions', hello)
  const skipped = await post('chat/completions', hello)

  expect(fake.requestCount()).toBe(3)
  for (const { headers } of [tried, skipped]) {
    expect(headers.get('x-modelport-fallback')).toBe('from="fake:first", reason=rate_limit')
  }
})

test('a replay of an Idempotency-Key has the header of its answer', async () => {
  running.fake.setModel('first', unavailable)
  const init = { headers: { 'idempotency-key': 'once' } }

  await (await running.post('chat/completions', hello, init)).text()
  const { headers } = await running.post('chat/completions', hello, init)

  expect(headers.get('idempotent-replayed')).toBe('true')
  expect(headers.get('x-modelport-fallback')).toBe('from="fake:first", reason=unavailable')
})

test('a cascade that does not accept an answer has chosen, and no model failed', async () => {
  const { post } = await startCascaded({ b: { text: 'Lyon' } })

  const answer = await post('chat/completions', hello)

  expect(await answer.text()).toContain('"model":"fake:strong"')
  expect(answer.headers.has('x-modelport-fallback')).toBe(false)
})

test('a model of a cascade that fails is the first choice', async () => {
  const { post } = await startCascaded({ a: unavailable })

  const { headers } = await post('chat/completions', hello)

  expect(headers.get('x-modelport-fallback')).toBe('from="fake:a", reason=unavailable')
})
