import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import OpenAI from 'openai'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterEach, expect, test } from 'vitest'
import {
  errorReply,
  htmlReply,
  invalidJsonReply,
  startFakeProvider,
  type FakeModelScript,
  type FakeProvider,
  type FakeProviderOptions,
} from './fake-provider.ts'

const running: FakeProvider[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((fake) => fake.close()))
})

async function start(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const fake = await startFakeProvider(options)
  running.push(fake)
  return fake
}

/** Plain HTTP and one model: enough for every test that does not concern TLS or names. */
function startModel(model: FakeModelScript): Promise<FakeProvider> {
  return start({ tls: false, models: { 'some-model': model } })
}

const messages = [{ role: 'user' as const, content: 'Hello' }]

function post(fake: FakeProvider, body: object = {}): Promise<Response> {
  return fetch(`${fake.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'some-model', messages, ...body }),
  })
}

async function streamText(fake: FakeProvider, body: object = {}): Promise<string> {
  const response = await post(fake, { stream: true, ...body })
  return response.text()
}

/** The `data:` payloads of a stream, without the closing `[DONE]`. */
function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split(/\r?\n\r?\n/)
    .filter((part) => part.startsWith('data: {'))
    .map((part): Record<string, unknown> => JSON.parse(part.slice('data: '.length)))
}

/** A request without fetch's own handling, so that a test sees how the connection ended. */
async function rawPost(fake: FakeProvider, options: RequestOptions = {}) {
  const send = fake.url.startsWith('https') ? httpsRequest : httpRequest
  const request = send(`${fake.url}/chat/completions`, { method: 'POST', ...options })
  request.end(JSON.stringify({ model: 'some-model', messages, stream: true }))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // A reset is reported on the response, which tests check, and again on the request.
  request.on('error', () => {})
  return { request, response }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

test('the official SDK reads a whole answer over TLS with the given certificate authority', async () => {
  const fake = await start({ models: { 'some-model': { text: 'Good day.' } } })
  const dispatcher = new Agent({ connect: { ca: fake.ca ?? '' } })
  const client = new OpenAI({
    apiKey: 'any',
    baseURL: fake.url,
    fetchOptions: { dispatcher },
    // undici's own fetch belongs to the Agent; its types and the DOM's describe the same objects separately.
    fetch: undiciFetch as unknown as typeof fetch,
  })

  const completion = await client.chat.completions.create({ model: 'some-model', messages })

  expect(completion.choices[0]?.message.content).toBe('Good day.')
  expect(completion.usage?.total_tokens).toBe(20)
  await dispatcher.close()
})

test('refuses a TLS client that does not trust its certificate authority', async () => {
  const fake = await start()
  await expect(rawPost(fake)).rejects.toThrow(/certificate/)
})

test('the official SDK streams the text in the scripted number of chunks', async () => {
  const fake = await startModel({ text: 'abcdef', chunks: 3 })
  const client = new OpenAI({ apiKey: 'any', baseURL: fake.url })
  const stream = await client.chat.completions.create({
    model: 'some-model',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })

  const chunks = await collect(stream)

  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '')).toEqual([
    '',
    'ab',
    'cd',
    'ef',
    '',
    '',
  ])
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(chunks.at(-1)?.usage?.prompt_tokens).toBe(12)
})

test('logs method, path, headers and body of each request', async () => {
  const fake = await startModel({})
  await post(fake, { temperature: 0 })

  expect(fake.requestCount()).toBe(1)
  expect(fake.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: { model: 'some-model', temperature: 0 },
    model: 'some-model',
    abortedAtMs: null,
  })
})

test.each([401, 402, 403, 400, 404, 429, 500, 503, 529])(
  'answers %i in the form of an OpenAI error',
  async (status) => {
    const fake = await startModel({ reply: errorReply(status, { code: 'some_code' }) })
    const response = await post(fake)

    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: 'some_code' } })
  },
)

test('sends retry-after with a 429', async () => {
  const fake = await startModel({ reply: errorReply(429, { retryAfterSeconds: 7 }) })
  expect((await post(fake)).headers.get('retry-after')).toBe('7')
})

test('answers a page as HTML with status 200', async () => {
  const fake = await startModel({ reply: htmlReply })
  const response = await post(fake)

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html')
})

test('answers JSON that does not parse', async () => {
  const fake = await startModel({ reply: invalidJsonReply })
  await expect((await post(fake)).json()).rejects.toThrow(SyntaxError)
})

test('requires the bearer key if it was started with one', async () => {
  const fake = await start({ tls: false, apiKey: 'right' })
  const list = (key: string) =>
    fetch(`${fake.url}/models`, { headers: { authorization: `Bearer ${key}` } })

  expect((await list('wrong')).status).toBe(401)
  expect((await list('right')).status).toBe(200)
})

test('lists the scripted models', async () => {
  const fake = await start({ tls: false, models: { one: {}, 'two/b:c': {} } })
  const response = await fetch(`${fake.url}/models`)

  expect(await response.json()).toMatchObject({ data: [{ id: 'one' }, { id: 'two/b:c' }] })
})

test('answers only for the scripted names', async () => {
  const fake = await startModel({})
  expect((await post(fake, { model: 'another' })).status).toBe(404)
})

test('a function chooses the script of each request by its number', async () => {
  const fake = await startModel((_request, nth) => (nth === 1 ? { reply: errorReply(503) } : {}))

  expect((await post(fake)).status).toBe(503)
  expect((await post(fake)).status).toBe(200)
})

test('a model set later applies from the next request on', async () => {
  const fake = await startModel({})
  fake.setModel('some-model', { reply: errorReply(500) })

  expect((await post(fake)).status).toBe(500)
})

test('waits before the first byte and between chunks', async () => {
  const fake = await startModel({ chunks: 2, firstByteDelayMs: 60, chunkDelayMs: 20 })
  const startedAtMs = performance.now()
  const response = await post(fake, { stream: true })
  const firstByteMs = performance.now() - startedAtMs
  await response.text()
  const wholeMs = performance.now() - startedAtMs

  expect(firstByteMs).toBeGreaterThanOrEqual(55)
  // Role, two pieces, finish, [DONE]: four pauses. The first byte may have been read late.
  expect(wholeMs).toBeGreaterThanOrEqual(130)
})

test('hangs before the headers until the client gives up, and logs the time', async () => {
  const fake = await startModel({ fault: { kind: 'hang', afterEvents: 0 } })
  const client = new AbortController()
  const response = fetch(`${fake.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'some-model', messages }),
    signal: client.signal,
  })

  const reason = response.catch(String)
  await expect.poll(() => fake.requestCount()).toBe(1)
  client.abort()
  expect(await reason).toMatch(/abort/)
  await expect.poll(() => fake.requests[0]?.abortedAtMs).toBeGreaterThan(0)
})

test('hangs in the middle of a stream after the scripted events', async () => {
  const fake = await startModel({ fault: { kind: 'hang', afterEvents: 2 } })
  const { request, response } = await rawPost(fake)
  let text = ''
  response.on('data', (part: Buffer) => (text += part.toString()))

  await expect.poll(() => eventsOf(text)).toHaveLength(2)
  expect(fake.requests[0]?.abortedAtMs).toBeNull()
  request.destroy()
  await expect.poll(() => fake.requests[0]?.abortedAtMs).toBeGreaterThan(0)
})

test.each([
  ['plain HTTP', false],
  ['TLS', true],
])('resets the connection in the middle of a stream over %s', async (_name, tls) => {
  const fault = { kind: 'reset', afterEvents: 3 } as const
  const fake = await start({ tls, models: { 'some-model': { fault } } })
  const { response } = await rawPost(fake, fake.ca === null ? {} : { ca: fake.ca })
  const parts: Buffer[] = []
  response.on('data', (part: Buffer) => parts.push(part))
  const [error] = (await once(response, 'error')) as [NodeJS.ErrnoException]

  expect(error.code).toBe('ECONNRESET')
  expect(eventsOf(Buffer.concat(parts).toString())).toHaveLength(3)
})

test('resets the connection before the headers', async () => {
  const fake = await startModel({ fault: { kind: 'reset', afterEvents: 0 } })
  await expect(rawPost(fake)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('breaks after the role-only chunk', async () => {
  const fake = await startModel({ fault: { kind: 'error-event', afterEvents: 1 } })
  const events = eventsOf(await streamText(fake))

  expect(events).toMatchObject([
    { choices: [{ delta: { role: 'assistant', content: '' } }] },
    { error: { type: 'server_error' } },
  ])
})

test('truncates a stream with a valid HTTP end, without finish_reason or [DONE]', async () => {
  const fake = await startModel({ fault: { kind: 'truncate', afterEvents: 3 } })
  const text = await streamText(fake)

  expect(eventsOf(text)).toHaveLength(3)
  expect(text).not.toContain('[DONE]')
  expect(text).not.toContain('"finish_reason":"stop"')
})

test('truncates a whole answer in the middle of its JSON', async () => {
  const fake = await startModel({ fault: { kind: 'truncate', afterEvents: 1 } })
  await expect((await post(fake)).json()).rejects.toThrow(SyntaxError)
})

test('omits usage although the request asked for it', async () => {
  const fake = await startModel({ usage: 'none' })

  expect(await (await post(fake)).json()).not.toHaveProperty('usage')
  expect(await streamText(fake, { stream_options: { include_usage: true } })).not.toContain('usage')
})

test('reports cached and reasoning tokens as scripted', async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 30 },
  }
  const fake = await startModel({ usage })
  expect(await (await post(fake)).json()).toMatchObject({ usage })
})

test('sends tool calls with the scripted odd indices and missing ids', async () => {
  const fake = await startModel({
    toolCalls: [{ index: 7, name: 'look_up', argumentPieces: ['{"q":', '"x"}'] }],
  })
  const deltas = eventsOf(await streamText(fake)).flatMap((event) => event.choices)

  expect(deltas.slice(1)).toMatchObject([
    { delta: { tool_calls: [{ index: 7, function: { name: 'look_up', arguments: '' } }] } },
    { delta: { tool_calls: [{ index: 7, function: { arguments: '{"q":' } }] } },
    { delta: { tool_calls: [{ index: 7, function: { arguments: '"x"}' } }] } },
    { delta: {}, finish_reason: 'tool_calls' },
  ])
  expect(JSON.stringify(deltas)).not.toContain('"id"')
})

test('frames events with comments and CRLF', async () => {
  const fake = await startModel({ framing: { lineEnd: '\r\n', comments: true } })
  expect(await streamText(fake)).toMatch(/^: keep-alive\r\n\r\ndata: \{.*\}\r\n\r\n: keep-alive/)
})

test('cuts the byte stream within events and characters', async () => {
  const fake = await startModel({ text: 'Grüße 🙂', chunks: 2, framing: { sliceBytes: 3 } })
  const { response } = await rawPost(fake)
  const parts = await collect<Buffer>(response)

  expect(parts.length).toBeGreaterThan(10)
  expect(Buffer.concat(parts).toString()).toContain('"content":"Grüß"')
})

test('adds scripted fields to the body and to every chunk', async () => {
  const fake = await startModel({ extraFields: { _meta: { cost: 0 } } })

  expect(await (await post(fake)).json()).toMatchObject({ _meta: { cost: 0 } })
  expect(eventsOf(await streamText(fake))).toSatisfy((events: object[]) =>
    events.every((event) => '_meta' in event),
  )
})

test('sends scripted events verbatim', async () => {
  const fake = await startModel({ events: ['{"odd": true}'], framing: { withoutDone: true } })
  expect(await streamText(fake)).toBe('data: {"odd": true}\n\n')
})

test('closing cuts connections that hang', async () => {
  const fake = await startModel({ fault: { kind: 'hang', afterEvents: 0 } })
  const pending = post(fake)
  await expect.poll(() => fake.requestCount()).toBe(1)
  await fake.close()

  await expect(pending).rejects.toThrow('fetch failed')
})
