/** What a request costs that ends before its first byte: a vendor reads the prompt and bills it. */
import { describe, expect, test } from 'vitest'
import { startWithMessagesUpstream, streamed } from '../endpoints/messages-upstream.ts'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startRawUpstream } from '../providers/raw-upstream.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { accessKey } from '../upstreams/bedrock/fake.ts'

const hangs: FakeModel = { fault: { kind: 'hang', afterEvents: 0 } }
const prompt = 'word '.repeat(2_000)
const messages = [{ role: 'user', content: prompt }]
const bodies: readonly [path: string, body: object][] = [
  ['v1/chat/completions', { messages }],
  ['v1/completions', { prompt }],
  ['v1/responses', { input: prompt }],
  ['v1/messages', { messages, max_tokens: 100 }],
]
/** 2,000 words at one dollar for a million tokens, counted by a rule that may be off by a third. */
const least = 1_300_000
const most = 4_000_000

/** Sends a request and leaves as soon as the upstream has it. */
async function leave({ post, fake }: TestService, path: string, body: object): Promise<void> {
  const before = fake.requestCount()
  const caller = new AbortController()
  const asked = post(path, body, { signal: caller.signal })
  await expect.poll(() => fake.requestCount()).toBe(before + 1)
  caller.abort()
  await expect(asked).rejects.toThrow(/abort/i)
}

describe.each([false, true])('a caller that leaves before the first byte (stream %s)', (stream) => {
  test('pays for the prompt at every endpoint, as an estimate', async () => {
    const started = await startTestService({ models: { m: hangs } })

    for (const [path, body] of bodies) await leave(started, path, { ...body, stream })

    const rows = await started.ledger(bodies.length)
    for (const row of rows) {
      expect(row).toMatchObject({ status: 499, attempts: 1, reportedPromptTokens: null })
      expect(row.costNanoUsd).toBeGreaterThan(least)
      expect(row.costNanoUsd).toBeLessThan(most)
      expect(row.costNanoUsd).toBe((row.estimatedPromptTokens ?? 0) * 1_000)
    }
    const record = await started.get(`v1/requests/${rows[0]?.id}`)
    expect(await record.json()).toMatchObject({
      detail: {
        tokenSource: 'estimated',
        attempts: [{ outcome: 'aborted', message: 'aborted; the cost of its prompt is estimated' }],
      },
    })
  })
})

test('callers that leave spend a budget as others do', async () => {
  const started = await startTestService({
    models: { m: hangs },
    router: { budgetUsdPerDay: 0.01 },
  })
  const body = { messages, max_tokens: 10 }

  for (let request = 0; request < 3; request += 1) {
    await leave(started, 'chat/completions', body)
    await started.ledger(request + 1)
  }
  await started.service.dashboard.updateRouter(started.routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:m'],
    budgetUsdPerDay: 0.005,
  })
  const refused = await started.post('chat/completions', body)

  expect(refused.status).toBe(402)
})

test('after a time limit, the row has the prompts of both models', async () => {
  const { post, ledger } = await startTestService({
    models: {
      slow: hangs,
      second: { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
    },
    service: { timeLimits: { firstTokenMs: 300 } },
  })

  const answer = await post('chat/completions', { messages, stream: true })
  await answer.text()

  const [row] = await ledger(1)
  expect(row).toMatchObject({ status: 200, attempts: 2, modelUsed: 'fake:second' })
  expect(row?.costNanoUsd).toBeGreaterThan(least + 13_000)
  expect(row?.costNanoUsd).toBeLessThan(most)
})

test.each<[string, FakeModel]>([
  ['a 400', { reply: errorReply(400) }],
  ['a 429', { reply: errorReply(429, { retryAfterSeconds: 20 }) }],
  ['a 404', { reply: errorReply(404) }],
])('%s costs nothing, because vendors do not bill it', async (_name, m) => {
  const { post, ledger } = await startTestService({ models: { m } })

  await (await post('chat/completions', { messages })).text()

  expect(await ledger(1)).toMatchObject([{ costNanoUsd: 0, estimatedPromptTokens: null }])
})

test('a connection that breaks after the request was sent costs the prompt of each attempt', async () => {
  const { post, ledger } = await startTestService({
    models: { m: { fault: { kind: 'reset', afterEvents: 0 } } },
  })

  await (await post('chat/completions', { messages })).text()

  const [row] = await ledger(1)
  expect(row).toMatchObject({ status: 503, attempts: 3 })
  expect(row?.costNanoUsd).toBeGreaterThan(3 * least)
})

test('a caller that leaves before the connection is made pays nothing', async () => {
  // Nobody answers the greeting of TLS.
  const upstream = await startRawUpstream(() => {})
  const { post, onlyRows, service, routerId } = await startTestService()
  const baseUrl = upstream.origin.replace('http', 'https')
  await service.dashboard.addProvider({ id: 'mute', type: 'mistral', baseUrl, apiKey: 'sk-mute' })
  const model = 'mute:mistral-large-2512'
  const router = { name: 'Mute', strategy: 'priority' as const, models: [model, 'fake:fake-model'] }
  await service.dashboard.updateRouter(routerId, { ...router, routing: { fallback: false } })
  const caller = new AbortController()
  const asked = post('chat/completions', { messages }, { signal: caller.signal })
  await expect.poll(() => upstream.sockets.length).toBe(1)
  caller.abort()
  await expect(asked).rejects.toThrow(/abort/i)

  const plain = { ...router, models: ['fake:fake-model'] }
  await service.dashboard.updateRouter(routerId, plain)
  expect(await onlyRows(1)).toMatchObject([
    { status: 499, attempts: 1, costNanoUsd: 0, estimatedPromptTokens: null },
  ])
})

test('inputs for vectors that were sent one by one are paid for when one of them is refused', async () => {
  const upstream = await startRawUpstream(({ text, socket }) => {
    // The others were read, and their answers never come.
    const refusal = 'HTTP/1.1 429 Busy\r\nretry-after: 20\r\ncontent-length: 2\r\n\r\n{}'
    if (text.includes('refused')) socket.write(refusal)
  })
  const { post, ledger, service, routerId } = await startTestService()
  const [baseUrl, region] = [upstream.origin, 'eu-central-1']
  const titan = { type: 'bedrock', baseUrl, apiKey: accessKey, options: { region } }
  await service.dashboard.addProvider({ ...titan, id: 'titan' })
  const model = 'titan:amazon.titan-embed-text-v2:0'
  const router = { name: 'Vectors', strategy: 'priority' as const, models: [model] }
  await service.dashboard.updateRouter(routerId, router)

  const input = [prompt, prompt, prompt, 'refused']
  const answer = await post('v1/embeddings', { model, input })
  await answer.text()

  const [row] = await ledger(1)
  expect([answer.status, row?.reportedPromptTokens]).toEqual([503, null])
  // Three times the prompt, at two cents for a million tokens.
  expect(row?.costNanoUsd).toBeGreaterThan((3 * least) / 50)
  expect(row?.costNanoUsd).toBeLessThan((3 * most) / 50)
})

test('a long whole answer that breaks costs what had arrived of it', async () => {
  const { post, ledger, upstream } = await startWithMessagesUpstream({ models: { second: {} } })
  const begun = streamed('word '.repeat(360)).slice(0, -3)
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  upstream.answer = [...begun, JSON.stringify(overloaded)]

  await (await post('chat/completions', { messages, max_tokens: 30_000 })).text()

  const [row] = await ledger(1)
  expect(row).toMatchObject({ status: 200, attempts: 2, modelUsed: 'fake:second' })
  // 100 tokens of its prompt as it counted them, and 500 of output at two dollars for a million.
  expect(row?.costNanoUsd).toBeGreaterThan(1_000_000)
  expect(row?.costNanoUsd).toBeLessThan(least)
})
