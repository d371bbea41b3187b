/** Fallback before the first delta and never after it, and the error when every model failed. */
import { describe, expect, test } from 'vitest'
import { errorReply, htmlReply, invalidJsonReply, type FakeModel } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

const works: FakeModel = { text: 'Second answers.' }
const streamed = { ...hello, stream: true }

/** The text of a stream's deltas, and the object of its last event. */
function readStream(body: string): { text: string; last: unknown } {
  const events = body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as { choices?: { delta: { content?: string } }[] })
  const text = events.map((event) => event.choices?.[0]?.delta.content ?? '').join('')
  return { text, last: events.at(-1) }
}

const faults: [name: string, model: FakeModel][] = [
  ['answers 429', { reply: errorReply(429, { retryAfterSeconds: 3 }) }],
  ['answers 500', { reply: errorReply(500) }],
  ['answers 503', { reply: errorReply(503) }],
  ['does not know the model', { reply: errorReply(404) }],
  ['answers a page of HTML', { reply: htmlReply }],
  ['answers broken JSON', { reply: invalidJsonReply }],
  ['resets the connection', { fault: { kind: 'reset', afterEvents: 0 } }],
]

describe.each(faults)('when the first model %s', (_name, first) => {
  test('the second model answers in one piece', async () => {
    const { post, ledger } = await startTestService({ models: { first, second: works } })

    const answer = await post('chat/completions', hello)

    expect(await answer.json()).toMatchObject({
      model: 'fake:second',
      choices: [{ message: { content: 'Second answers.' } }],
      _meta: { modelUsed: 'fake:second' },
    })
    expect(await ledger(1)).toMatchObject([{ status: 200, attempts: 2, modelUsed: 'fake:second' }])
  })

  test('the second model answers the stream', async () => {
    const { post } = await startTestService({ models: { first, second: works } })

    const answer = await post('chat/completions', streamed)
    const { text, last } = readStream(await answer.text())

    expect(text).toBe('Second answers.')
    expect(last).toMatchObject({ model: 'fake:second', _meta: { modelUsed: 'fake:second' } })
  })
})

test.each(['reset', 'truncate', 'error-event'] as const)(
  'after a %s that follows the role-only chunk, the next model answers unnoticed',
  async (kind) => {
    const first: FakeModel = { text: 'First', fault: { kind, afterEvents: 1 } }
    const { post } = await startTestService({ models: { first, second: works } })

    const answer = await post('chat/completions', streamed)

    expect(readStream(await answer.text()).text).toBe('Second answers.')
  },
)

test.each(['reset', 'truncate', 'error-event'] as const)(
  'a %s after the first delta ends the stream with an error, never with another model',
  async (kind) => {
    const first: FakeModel = { text: 'abcdef', chunks: 6, fault: { kind, afterEvents: 3 } }
    const { post, fake, ledger } = await startTestService({ models: { first, second: works } })

    const answer = await post('chat/completions', streamed)
    const body = await answer.text()

    expect(readStream(body).text).toBe('ab')
    expect(body).toMatch(
      /data: \{"error":\{.*"code":"all_models_unavailable"\}\}\n\ndata: \[DONE\]\n\n$/,
    )
    expect(body).not.toContain('"finish_reason":"stop"')
    expect(fake.requestCount()).toBe(1)
    expect(await ledger(1)).toMatchObject([{ status: 503, modelUsed: 'fake:first' }])
  },
)

test('a reset after each event gives the beginning of one answer or the next model, and one row', async () => {
  const text = 'abcdef'
  const { post, fake, ledger } = await startTestService({ models: { first: {}, second: works } })
  const events = text.length + 3

  for (let afterEvents = 0; afterEvents < events; afterEvents += 1) {
    fake.setModel('first', { text, chunks: 6, fault: { kind: 'reset', afterEvents } })
    const body = await (await post('chat/completions', streamed)).text()
    const received = readStream(body).text
    const isBeginning = received !== '' && text.startsWith(received)

    expect(isBeginning).toBe(received !== 'Second answers.')
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await ledger(afterEvents + 1)).toHaveLength(afterEvents + 1)
  }
})

test('a request that the upstream refuses is a 400, and no other model is tried', async () => {
  const first = { reply: errorReply(400, { message: 'tools: too many' }) }
  const { post, fake } = await startTestService({ models: { first, second: works } })

  const answer = await post('chat/completions', hello)

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 'invalid_parameter', message: 'tools: too many' },
  })
  expect(fake.requestCount()).toBe(1)
})

test.each([
  ['whole', 'sk-fake-provider-key'],
  ['without its first characters', 'fake-provider-key'],
  ['cut short', 'sk-fake-provi'],
])('a key that the upstream echoes %s is not in the error', async (_how, echoed) => {
  const first = { reply: errorReply(400, { message: `key "${echoed}" may not call tools` }) }
  const { post } = await startTestService({ models: { first } })

  const answer = await post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ error: { message: 'key "…" may not call tools' } })
})

test('when every model fails, the 503 names each one and its cause, and contains no key', async () => {
  const first = { reply: errorReply(500) }
  const second = { reply: errorReply(401, { message: 'Bad key sk-fake-provider-key' }) }
  const { post, ledger } = await startTestService({ models: { first, second } })

  const answer = await post('chat/completions', hello)
  const body = await answer.text()

  expect(answer.status).toBe(503)
  expect(answer.headers.get('x-should-retry')).toBe('false')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(body).toContain('fake:first: the provider answered with status 500')
  expect(body).toContain('fake:second: the provider rejected the key')
  expect(body).not.toContain('sk-fake')
  expect(await ledger(1)).toMatchObject([{ status: 503, attempts: 2, modelUsed: null }])
})

test('a rejected key is reported to the user once', async () => {
  const { post, service } = await startTestService({
    models: { 'fake-model': { reply: errorReply(401) } },
  })
  const alarms: unknown[] = []
  service.on('alarm', (alarm) => alarms.push(alarm))

  await post('chat/completions', hello)
  await post('chat/completions', hello)

  expect(alarms).toEqual([{ providerId: 'fake', message: 'fake: the provider rejected the key' }])
  const [, provider] = await service.dashboard.providers()
  expect(provider?.health).toMatchObject({ status: 'failing', problem: 'key_rejected' })
})

test('a request is never sent to a model without a required capability', async () => {
  const { post, fake, service, routerId } = await startTestService({ models: { first: {} } })
  await service.dashboard.saveModel({
    id: 'fake:plain',
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: 100,
  })
  const router = { name: 'Test', strategy: 'cost_optimized' as const }
  await service.dashboard.updateRouter(routerId, {
    ...router,
    models: ['fake:plain', 'fake:first'],
  })

  const tools = [{ type: 'function', function: { name: 'f' } }]
  const answer = await post('chat/completions', { ...hello, tools })
  await service.dashboard.updateRouter(routerId, { ...router, models: ['fake:plain'] })
  const refused = await post('chat/completions', { ...hello, tools })

  expect(await answer.json()).toMatchObject({ model: 'fake:first' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'no_capable_model',
      message: 'No model of this router can take the request: fake:plain does not support tools.',
    },
  })
  expect(fake.requestCount()).toBe(1)
})

test('cost_optimized uses the cheaper model, priority the first', async () => {
  const { post, service, routerId } = await startTestService({ models: { dear: {}, cheap: {} } })
  await service.dashboard.saveModel({
    id: 'fake:cheap',
    inputUsdPerMtok: 0.1,
    outputUsdPerMtok: 0.2,
    contextTokens: 100_000,
  })
  const models = ['fake:dear', 'fake:cheap']

  const byPriority = await post('chat/completions', hello)
  await service.dashboard.updateRouter(routerId, {
    name: 'T',
    strategy: 'cost_optimized',
    models,
    routing: { qualityTolerance: 0.08 },
  })
  const byCost = await post('chat/completions', hello)
  const pinned = await post('chat/completions', { ...hello, model: 'fake:dear' })

  expect(await byPriority.json()).toMatchObject({
    _meta: { modelUsed: 'fake:dear', routerDecision: 'priority' },
  })
  expect(await byCost.json()).toMatchObject({
    _meta: { modelUsed: 'fake:cheap', routerDecision: 'cost_optimized' },
  })
  expect(await pinned.json()).toMatchObject({
    _meta: { modelUsed: 'fake:dear', routerDecision: 'pinned' },
  })
})

test('an upstream’s own _meta and id are not passed on', async () => {
  const extraFields = { _meta: { cost: -1 }, id: 'theirs', model: 'theirs' }
  const { post } = await startTestService({ models: { 'fake-model': { extraFields } } })

  const whole = await post('chat/completions', hello)
  const stream = await post('chat/completions', streamed)

  expect(await whole.text()).not.toMatch(/theirs|"cost":-1/)
  expect(await stream.text()).not.toMatch(/theirs|"cost":-1/)
})

test('missing usage is estimated, and marked as an estimate in the ledger', async () => {
  const model: FakeModel = { text: 'x'.repeat(36), usage: 'none' }
  const { post, ledger } = await startTestService({ models: { 'fake-model': model } })

  const answer = await post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ usage: { completion_tokens: 10 } })
  expect(await ledger(1)).toMatchObject([
    {
      reportedPromptTokens: null,
      reportedCompletionTokens: null,
      estimatedCompletionTokens: 10,
    },
  ])
})

test('cached tokens are not billed twice', async () => {
  const usage = {
    prompt_tokens: 1_000,
    completion_tokens: 100,
    total_tokens: 1_100,
    prompt_tokens_details: { cached_tokens: 900 },
  }
  const { post } = await startTestService({ models: { 'fake-model': { usage } } })

  const answer = await post('chat/completions', hello)

  // The user's price has no cache price, so cached tokens cost as much as input and count once.
  expect(await answer.json()).toMatchObject({ usage, _meta: { cost: 0.0012 } })
})
