/** A router's exact-match cache from the caller's view: over HTTPS, with an upstream that counts its requests. */
import { once } from 'node:events'
import type { Response } from 'undici'
import { expect, test } from 'vitest'
import {
  contentText,
  type ChatCompletion,
  type ChatCompletionChunk,
  type RouterMeta,
} from '../../src/shared/chat/chat.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { chatRequest, dial } from '../http/raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const path = 'chat/completions'
const streamed = { ...hello, stream: true, stream_options: { include_usage: true } }
const hit = 'x-modelport-cache'

type RoutedCompletion = ChatCompletion & { _meta: RouterMeta }

type Options = NonNullable<Parameters<typeof startTestService>[0]>

function startCached(options: Options = {}): Promise<TestService> {
  return startTestService({
    ...options,
    router: { tier: 'enterprise', cacheTtlSeconds: 60, ...options.router },
  })
}

/** Test boundary: the service's own answers, whose form other tests check. */
async function whole(answer: Promise<Response>): Promise<ChatCompletion> {
  return (await (await answer).json()) as ChatCompletion
}

async function chunks(answer: Promise<Response>): Promise<ChatCompletionChunk[]> {
  const events = (await (await answer).text()).split('\n\n').slice(0, -2)
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as ChatCompletionChunk)
}

test('is off unless the router turns it on', async () => {
  const { post, fake } = await startTestService()

  await whole(post(path, hello))
  const second = await post(path, hello)

  expect(second.headers.get(hit)).toBeNull()
  expect(fake.requestCount()).toBe(2)
})

test('the same request gets the same answer, at no cost and without a model call', async () => {
  let nowMs = 1_000_000
  const slow: FakeModelScript = () => {
    nowMs += 300
    return { text: 'Paris.' }
  }
  const { post, fake } = await startCached({
    models: { m: slow },
    service: { clock: () => nowMs },
  })

  const first = await post(path, hello)
  const second = await post(path, hello)

  expect([first, second].map(({ headers }) => headers.get(hit))).toEqual(['miss', 'hit'])
  const made = (await first.json()) as RoutedCompletion
  const repeated = (await second.json()) as RoutedCompletion
  const { id, created, _meta: meta, ...same } = repeated
  const { _meta: metaOfMade } = made
  expect(made).toMatchObject(same)
  expect(id).toBe(`chatcmpl-${second.headers.get('x-request-id')}`)
  expect(created).toBeGreaterThanOrEqual(made.created)
  expect(meta).toEqual({
    modelUsed: 'fake:m',
    cost: 0,
    latencyMs: expect.any(Number),
    carbonGrams: 0,
    routerDecision: 'priority',
  })
  expect(meta.latencyMs).toBeLessThan(metaOfMade.latencyMs)
  expect(fake.requestCount()).toBe(1)
})

test('a whole answer can be repeated as a stream, which OpenAI’s SDK reads', async () => {
  const { post, openai, fake } = await startCached({ models: { m: { text: 'All of it.' } } })

  // The request as the SDK sends it.
  const asked = { model: '', ...hello }
  const made = await whole(post(path, asked))
  const read = await chunks(post(path, { ...streamed, model: '' }))
  const finished = await openai()
    .chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
    .finalChatCompletion()

  expect(read.map(({ choices }) => contentText(choices[0]?.delta.content)).join('')).toBe(
    'All of it.',
  )
  expect(read[0]?.choices[0]?.delta.role).toBe('assistant')
  expect(read.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(read.at(-1)).toMatchObject({ choices: [], usage: made.usage, _meta: { cost: 0 } })
  expect(finished.choices[0]?.message.content).toBe('All of it.')
  expect(finished.usage).toEqual(made.usage)
  expect(fake.requestCount()).toBe(1)
})

test('a stream can be repeated as a whole answer, with tool calls and usage', async () => {
  const toolCalls = [
    { index: 0, id: 'call_1', name: 'weather', argumentPieces: ['{"city":', '"Rome"}'] },
    { index: 1, id: 'call_2', name: 'time', argumentPieces: ['{}'] },
  ]
  const { post, fake } = await startCached({ models: { m: { toolCalls, text: 'One moment.' } } })
  const asked = { ...hello, tools: [{ type: 'function', function: { name: 'weather' } }] }

  // The stream has no usage, but the answer is stored with it.
  await chunks(post(path, { ...asked, stream: true }))
  const repeated = await whole(post(path, asked))
  const again = await chunks(post(path, { ...asked, stream: true }))

  expect(repeated.choices[0]).toMatchObject({
    message: {
      content: 'One moment.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'weather', arguments: '{"city":"Rome"}' },
        },
        { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } },
      ],
    },
    finish_reason: 'tool_calls',
  })
  expect(repeated.usage).toEqual({ prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 })
  expect(again[0]?.choices[0]?.delta.tool_calls).toMatchObject([
    { index: 0, id: 'call_1', function: { name: 'weather' } },
    { index: 1, id: 'call_2', function: { name: 'time' } },
  ])
  expect(fake.requestCount()).toBe(1)
})

test('each hit has its own row with the id of the original request', async () => {
  const { post, get, ledger } = await startCached()

  const made = await whole(post(path, hello))
  const second = await post(path, hello)
  await chunks(post(path, streamed))
  const rows = await ledger(3)
  const found = await get(`v1/requests/${second.headers.get('x-request-id')}`)

  const original = made.id.slice('chatcmpl-'.length)
  expect(rows.map(({ cachedFrom }) => cachedFrom)).toEqual([original, original, null])
  for (const row of rows.filter(({ cachedFrom }) => cachedFrom !== null))
    expect(row).toMatchObject({
      status: 200,
      modelUsed: 'fake:fake-model',
      costNanoUsd: 0,
      carbonGrams: 0,
      attempts: 0,
    })
  expect(await found.json()).toMatchObject({
    cachedFrom: original,
    cost: 0,
    detail: { attempts: [], price: null, tokenSource: 'none', strategy: 'priority' },
  })
})

test('hits count against the daily limit', async () => {
  const { post } = await startCached({ router: { dailyLimit: 2 } })

  const answers = [await post(path, hello), await post(path, hello), await post(path, hello)]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(answers[1]?.headers.get('x-ratelimit-remaining-requests')).toBe('0')
})

test('cache-control: no-cache gets and stores a new answer, and no-store bypasses the cache', async () => {
  const { post, fake } = await startCached({
    models: { m: (_request, nth) => ({ text: `Answer ${nth}.` }) },
  })
  const ask = async (cacheControl?: string) => {
    const headers = cacheControl === undefined ? {} : { 'cache-control': cacheControl }
    const answer = await post(path, hello, { headers })
    const { choices } = await whole(Promise.resolve(answer))
    return [answer.headers.get(hit), choices[0]?.message.content]
  }

  expect(await ask()).toEqual(['miss', 'Answer 1.'])
  expect(await ask('no-store')).toEqual([null, 'Answer 2.'])
  expect(await ask()).toEqual(['hit', 'Answer 1.'])
  expect(await ask('max-age=0, No-Cache')).toEqual(['miss', 'Answer 3.'])
  expect(await ask()).toEqual(['hit', 'Answer 3.'])
  expect(fake.requestCount()).toBe(3)
})

test('no key gets the answer to another key’s request', async () => {
  const { post, service, fake } = await startCached()
  const { key } = await service.dashboard.createApiKey({ name: 'other', routers: 'all' })

  await whole(post(path, hello))
  const other = await post(path, hello, { headers: { authorization: `Bearer ${key}` } })

  expect(other.headers.get(hit)).toBe('miss')
  expect(fake.requestCount()).toBe(2)
})

test('an answer expires after its router’s cache time', async () => {
  let skewMs = 0
  const { post, fake } = await startCached({
    service: { clock: () => 1_000_000 + skewMs },
  })
  await whole(post(path, hello))

  skewMs = 59_000
  expect((await post(path, hello)).headers.get(hit)).toBe('hit')
  skewMs = 60_001
  expect((await post(path, hello)).headers.get(hit)).toBe('miss')
  expect(fake.requestCount()).toBe(2)
})

test('a changed router does not use earlier answers', async () => {
  const { post, service, routerId } = await startCached({ models: { a: {}, b: {} } })
  await whole(post(path, hello))

  await service.dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:b'],
    cacheTtlSeconds: 60,
  })
  const answer = await post(path, hello)

  expect(answer.headers.get(hit)).toBe('miss')
  expect((await whole(Promise.resolve(answer))).model).toBe('fake:b')
})

test.each([
  ['cut off at its maximum length', { finishReason: 'length' }, 200],
  ['broken', { reply: { status: 404, body: '{}' } }, 503],
])('an answer that was %s is not stored', async (_how, first, status) => {
  const { post, fake } = await startCached({
    models: { m: (_request, nth) => (nth === 1 ? first : { text: 'Whole.' }) },
  })

  const made = await post(path, hello)
  const second = await post(path, hello)

  expect(made.status).toBe(status)
  expect(second.headers.get(hit)).toBe('miss')
  expect(fake.requestCount()).toBe(2)
})

test('a stream that broke off, or whose caller disconnected, is not stored', async () => {
  const { post, ledger } = await startCached({
    models: {
      m: (_request, nth) =>
        nth === 1
          ? { fault: { kind: 'reset', afterEvents: 3 } }
          : { chunkDelayMs: nth === 2 ? 400 : 0, chunks: 8 },
    },
  })

  const broken = await (await post(path, streamed)).text()
  const controller = new AbortController()
  const left = await post(path, streamed, { signal: controller.signal })
  controller.abort()
  await expect(left.text()).rejects.toThrow('aborted')
  await ledger(2)

  expect(broken).toContain('"error"')
  expect((await post(path, streamed)).headers.get(hit)).toBe('miss')
})

test('a hit whose caller disconnects before reading all of it has a row with status 499', async () => {
  // More than a connection's buffers hold.
  const running = await startCached({ models: { m: { text: 'x'.repeat(4_150_000), chunks: 8 } } })
  await whole(running.post(path, hello))
  const socket = await dial(running)
  socket.write(chatRequest(running, JSON.stringify({ ...hello, stream: true })))
  await once(socket, 'data')

  socket.destroy()
  const rows = await running.ledger(2)

  expect(rows[0]).toMatchObject({ status: 499, errorCode: 'client_closed', costNanoUsd: 0 })
  expect(rows[0]?.cachedFrom).toBe(rows[1]?.id)
})

test('capabilities that the caller requires are part of the cache key', async () => {
  const { post, fake } = await startCached()
  const insisting = { headers: { 'x-modelport-require': 'tools' } }

  const states = []
  for (const init of [{}, insisting, insisting, {}]) {
    const answer = await post(path, hello, init)
    await answer.text()
    states.push(answer.headers.get(hit))
  }

  expect(states).toEqual(['miss', 'miss', 'hit', 'hit'])
  expect(fake.requestCount()).toBe(2)
})

test('a hit and a replay report the adjustments to the request', async () => {
  const { post, service, fake } = await startCached()
  await service.dashboard.saveModel({
    id: 'fake:fake-model',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    refuses: ['temperature'],
  })
  const asked = { ...hello, temperature: 0.2 }
  const withKey = { headers: { 'idempotency-key': 'adjusted' } }

  const changes = []
  for (const init of [{}, {}, withKey, withKey]) {
    const answer = await post(path, asked, init)
    await answer.text()
    changes.push(answer.headers.get('x-modelport-adjusted'))
  }

  expect(changes).toEqual(Array.from({ length: 4 }, () => 'temperature=left_out'))
  expect(fake.requestCount()).toBe(1)
})

test('the model whose tool call was repeated reads the tool result', async () => {
  const toolCalls = [{ index: 0, id: 'call_1', name: 'weather', argumentPieces: ['{}'] }]
  const { post } = await startCached({
    models: {
      first: (_request, nth) => (nth === 1 ? { reply: { status: 500, body: '{}' } } : {}),
      second: { toolCalls },
    },
  })
  const tools = [{ type: 'function', function: { name: 'weather' } }]
  const asked = { ...hello, tools }
  const named = (name: string) => ({ headers: { 'x-modelport-conversation': name } })

  const made = await whole(post(path, asked, named('one')))
  const repeated = await post(path, asked, named('two'))
  await repeated.text()
  const messages = [
    ...hello.messages,
    made.choices[0]?.message,
    { role: 'tool', tool_call_id: 'call_1', content: 'Rain.' },
  ]
  const next = await whole(post(path, { messages, tools }, named('two')))

  expect(repeated.headers.get(hit)).toBe('hit')
  expect([made.model, next.model]).toEqual(['fake:second', 'fake:second'])
})

test('an explained hit shows the original decision', async () => {
  const { post } = await startCached()
  const headers = { 'x-modelport-explain': 'true' }

  await whole(post(path, hello))
  const { _meta: meta } = await whole(post(path, hello, { headers }))

  expect(meta).toMatchObject({
    cost: 0,
    decision: { attempts: [], ranked: [{ model: 'fake:fake-model' }] },
  })
})

test('the chat window does not use the cache', async () => {
  const { service, routerId, fake, ledger } = await startCached()

  for (const conversationId of [null, null]) {
    const answer = await service.conversations.send({ conversationId, routerId, text: 'Hi' })
    await answer.finished
  }

  expect(fake.requestCount()).toBe(2)
  expect((await ledger(2)).map(({ cachedFrom }) => cachedFrom)).toEqual([null, null])
})

test('an Idempotency-Key replays a hit', async () => {
  const { post, onlyRows } = await startCached()
  const headers = { 'idempotency-key': 'once' }
  await whole(post(path, hello))

  const second = await whole(post(path, hello, { headers }))
  const replayed = await post(path, hello, { headers })

  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(await replayed.json()).toEqual(second)
  expect(await onlyRows(2)).toHaveLength(2)
})

test('a stream is repeated with the digits of its long numbers', async () => {
  const own = '"own":12345678901234567890'
  const piece = `{"choices":[{"index":0,"delta":{"content":"Hi",${own}},"finish_reason":"stop"}]}`
  const { post } = await startCached({ models: { m: { events: [piece] } } })

  for (const from of ['miss', 'hit']) {
    const answer = await post(path, streamed)
    expect(answer.headers.get(hit)).toBe(from)
    expect(await answer.text()).toContain(own)
  }
})
