/** Requests are adjusted to the model that they are sent to, over the wire. */
import { expect, onTestFinished, test } from 'vitest'
import { startWithMessagesUpstream } from '../endpoints/messages-upstream.ts'
import { model as gptId, startWithResponsesUpstream } from '../endpoints/responses-upstream.ts'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const sampled = { ...hello, temperature: 0.2, max_tokens: 50 }
const header = 'x-modelport-adjusted'
const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 100_000 }

async function refuse(
  { service }: TestService,
  name: string,
  refuses: ('temperature' | 'max_tokens')[],
): Promise<void> {
  await service.dashboard.saveModel({
    id: `fake:${name}`,
    ...price,
    refuses,
  })
}

async function adjustedOf(upstream: TestService, requestId: string | null) {
  await upstream.ledger(1)
  const found = await upstream.get(`v1/requests/${requestId}`)
  expect(found.status).toBe(200)
  // The form of Modelport's own answer.
  const { detail } = (await found.json()) as { detail: { adjusted: object[] } }
  return detail.adjusted
}

test.each([false, true])(
  'parameters that a model refuses are left out and reported (stream %s)',
  async (stream) => {
    const upstream = await startTestService()
    await refuse(upstream, 'fake-model', ['temperature', 'max_tokens'])

    const answer = await upstream.post('chat/completions', { ...sampled, stream })
    await answer.text()

    expect(upstream.fake.requests[0]?.body).toMatchObject({ max_completion_tokens: 50 })
    expect(upstream.fake.requests[0]?.body).not.toHaveProperty('temperature')
    expect(upstream.fake.requests[0]?.body).not.toHaveProperty('max_tokens')
    expect(answer.headers.get(header)).toBe(
      'temperature=left_out, max_tokens=sent_as_max_completion_tokens',
    )
    expect(await adjustedOf(upstream, answer.headers.get('x-request-id'))).toMatchObject([
      { parameter: 'temperature', change: 'left_out' },
      { parameter: 'max_tokens', change: 'sent_as_max_completion_tokens' },
    ])
  },
)

test('after a fallback, the parameters depend on the model that answers', async () => {
  const upstream = await startTestService({
    models: { first: { reply: errorReply(500) }, second: {} },
  })
  await refuse(upstream, 'first', ['temperature'])

  const answer = await upstream.post('chat/completions', { ...sampled, stream: true })
  await answer.text()

  expect(answer.headers.get(header)).toBeNull()
  expect(upstream.fake.requests.map(({ body }) => body?.temperature)).toEqual([undefined, 0.2])
})

test('store and service_tier are not forwarded, and this is reported', async () => {
  const upstream = await startTestService()

  const answer = await upstream.post('chat/completions', {
    ...sampled,
    store: true,
    service_tier: 'flex',
  })

  expect(answer.headers.get(header)).toBe('store=left_out, service_tier=left_out')
  expect(upstream.fake.requests[0]?.body).not.toHaveProperty('store')
  expect(upstream.fake.requests[0]?.body).not.toHaveProperty('service_tier')
})

test('an unchanged request has no adjustment header', async () => {
  const upstream = await startTestService()

  const answer = await upstream.post('chat/completions', sampled)

  expect(answer.headers.get(header)).toBeNull()
})

test.each([
  [{ n: 2 }, 'several answers at once (n)'],
  [{ logprobs: true }, 'logprobs'],
  [{ messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }, 'files'],
  [{ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }, 'audio'],
])('%j is sent only to models that are known to support it', async (given, need) => {
  const upstream = await startTestService()

  const answer = await upstream.post('chat/completions', { ...hello, ...given })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'no_capable_model',
      message: `No model of this router can take the request: fake:fake-model does not support ${need}.`,
    },
  })
  expect(upstream.fake.requestCount()).toBe(0)
})

test('a seed is forwarded to any model, and required seed support selects the model', async () => {
  const upstream = await startTestService({ models: { first: {}, second: {} } })
  const seeded = { ...hello, seed: 7 }
  const insists = { headers: { 'x-modelport-require': 'seed' } }

  const plain = await upstream.post('chat/completions', seeded)
  const refused = await upstream.post('chat/completions', seeded, insists)
  await upstream.service.dashboard.saveModel({
    id: 'fake:second',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    capabilities: ['seed'],
  })
  const kept = await upstream.post('chat/completions', seeded, insists)

  expect([plain.status, refused.status, kept.status]).toEqual([200, 400, 200])
  expect(await refused.json()).toMatchObject({ error: { code: 'no_capable_model' } })
  expect(upstream.fake.requests.map(({ model, body }) => [model, body?.seed])).toEqual([
    ['first', 7],
    ['second', 7],
  ])
})

test('a model that refuses a temperature gets none', async () => {
  const upstream = await startTestService()
  await refuse(upstream, 'fake-model', ['temperature'])

  const answer = await upstream.post('chat/completions', hello)

  expect(answer.headers.get(header)).toBeNull()
  expect(upstream.fake.requests[0]?.body).not.toHaveProperty('temperature')
})

test('a caller’s own body loses a temperature that the model refuses, too', async () => {
  const refuses = { ...price, refuses: ['temperature' as const] }
  const claude = await startWithMessagesUpstream()
  const claudeId = 'claude:claude-haiku-4-5'
  const router = { name: 'Test', strategy: 'priority' as const, models: [claudeId] }
  await claude.service.dashboard.saveModel({ id: claudeId, ...refuses })
  await claude.service.dashboard.updateRouter(claude.routerId, router)
  const gpt = await startWithResponsesUpstream({}, onTestFinished)
  await gpt.service.dashboard.saveModel({ id: gptId, ...refuses })
  const given = { stream: true, temperature: 0.5 }

  const answers = [
    await claude.post('v1/messages', { ...hello, ...given, max_tokens: 50 }),
    await gpt.post('v1/responses', { input: 'Hello', ...given }),
  ]

  expect(answers.map(({ headers }) => headers.get(header))).toEqual(
    answers.map(() => 'temperature=left_out'),
  )
  for (const { upstream } of [claude, gpt]) {
    expect(upstream.requests).toHaveLength(1)
    expect(upstream.requests[0]?.text).not.toContain('temperature')
  }
})
