/** Anthropic's SDK at a router whose models speak OpenAI's form: everything is translated, both ways. */
import type Anthropic from '@anthropic-ai/sdk'
import {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { eventsOf } from './messages-upstream.ts'
import { problemsOfMessageEvent } from './vendor-types.ts'

const hello = {
  model: 'auto',
  max_tokens: 500,
  messages: [{ role: 'user' as const, content: 'Hello' }],
}
const tool: Anthropic.Tool = {
  name: 'read',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}
const calls = {
  toolCalls: [
    { id: 'call_a', name: 'read', argumentPieces: ['{"path":', '"a"}'] },
    { id: 'call_b', name: 'read', argumentPieces: ['{"path":"b"}'] },
  ],
}

function metaOf(answer: object): unknown {
  return new Map<string, unknown>(Object.entries(answer)).get('_meta')
}

function sentBody({ fake }: TestService): Record<string, unknown> {
  return fake.requests.at(-1)?.body ?? {}
}

test('an answer in one piece has the text, the usage and _meta', async () => {
  const { anthropic } = await startTestService({ models: { one: { text: 'Paris.' } } })

  const answer = await anthropic().messages.create(hello)

  expect(answer).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'fake:one',
    content: [{ type: 'text', text: 'Paris.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
  })
  expect(answer.id).toMatch(/^msg_[0-9a-f-]{36}$/)
  expect(answer.usage.input_tokens).toBeGreaterThan(0)
  expect(metaOf(answer)).toMatchObject({ modelUsed: 'fake:one', routerDecision: 'priority' })
})

test('a stream is read by the SDK into the same message', async () => {
  const { anthropic, ledger } = await startTestService({
    models: { one: { text: 'One two three', reasoning: 'Let me count.' } },
  })
  const stream = anthropic().messages.stream(hello)

  const answer = await stream.finalMessage()

  expect(answer.content).toEqual([
    { type: 'thinking', thinking: 'Let me count.', signature: '' },
    { type: 'text', text: 'One two three', citations: [] },
  ])
  expect(answer).toMatchObject({ stop_reason: 'end_turn', model: 'fake:one' })
  const [row] = await ledger(1)
  expect(answer.usage).toMatchObject({
    input_tokens: row?.reportedPromptTokens,
    output_tokens: row?.reportedCompletionTokens,
  })
})

test.each([true, false])(
  'parallel tool calls arrive whole and in order (stream %s)',
  async (stream) => {
    const { anthropic } = await startTestService({ models: { one: calls } })
    const request = { ...hello, tools: [tool], tool_choice: { type: 'any' as const } }
    const { messages } = anthropic()

    const answer = stream
      ? await messages.stream(request).finalMessage()
      : await messages.create(request)

    const caller = { type: 'direct' }
    expect(answer.stop_reason).toBe('tool_use')
    expect(answer.content).toEqual([
      { type: 'tool_use', id: 'call_a', name: 'read', input: { path: 'a' }, caller },
      { type: 'tool_use', id: 'call_b', name: 'read', input: { path: 'b' }, caller },
    ])
  },
)

test('tools, forced choice, format, reasoning and limits reach the upstream in its form', async () => {
  const started = await startTestService()
  const schema = { type: 'object', properties: {}, additionalProperties: false }

  await started.anthropic().messages.create({
    ...hello,
    tools: [tool],
    tool_choice: { type: 'tool', name: 'read', disable_parallel_tool_use: true },
    output_config: { format: { type: 'json_schema', schema } },
    stop_sequences: ['END'],
    system: 'Be brief.',
  })

  expect(sentBody(started)).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    max_tokens: 500,
    stop: ['END'],
    tools: [
      {
        type: 'function',
        function: { name: 'read', description: 'Reads a file.', parameters: tool.input_schema },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'read' } },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { schema } },
  })
})

test('images, documents and images in tool results reach the upstream in its form', async () => {
  const started = await startTestService()
  const image: Anthropic.ImageBlockParam = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  }

  await started.anthropic().messages.create({
    ...hello,
    tools: [tool],
    messages: [
      {
        role: 'user',
        content: [
          image,
          {
            type: 'document',
            title: 'a.txt',
            source: { type: 'text', media_type: 'text/plain', data: 'Text' },
          },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [image], is_error: true }],
      },
    ],
  })

  const part = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  expect(sentBody(started)['messages']).toEqual([
    { role: 'user', content: [part, { type: 'text', text: 'a.txt\nText' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 't1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 't1', content: [part], is_error: true },
  ])
})

test('what another vendor’s form does not carry is left out and reported', async () => {
  const started = await startTestService()
  const request = {
    ...hello,
    tools: [tool, { type: 'web_search_20250305', name: 'web_search' }],
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high' },
    metadata: { user_id: 'device and session' },
    safeguards: [{ type: 'dangerous_tool_use', folder: '/secret' }],
  }

  const answer = await started.post('v1/messages', request)

  expect(answer.status).toBe(200)
  const adjusted = answer.headers.get('x-modelport-adjusted') ?? ''
  expect(adjusted.split(', ').toSorted()).toEqual([
    'metadata=left_out',
    'reasoning_effort=left_out',
    'safeguards=left_out',
    'temperature=sent_as_1',
    'tools=left_out',
  ])
  expect(JSON.stringify(sentBody(started))).not.toMatch(/secret|session|web_search|reasoning/)
})

test('max_tokens of the caller’s usual model is lowered to what the chosen model gives', async () => {
  const started = await startTestService()

  const answer = await started.post('v1/messages', {
    ...hello,
    temperature: 1,
    max_tokens: 128_000,
  })

  expect(answer.status).toBe(200)
  expect(sentBody(started)['max_tokens']).toBeLessThan(100_000)
  expect(answer.headers.get('x-modelport-adjusted')).toMatch(/^max_tokens=sent_as_\d+$/)
})

test('usage has the tokens read from a cache apart, as Anthropic counts them', async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 5,
    total_tokens: 105,
    prompt_tokens_details: { cached_tokens: 80 },
  }
  const { anthropic } = await startTestService({ models: { one: { usage } } })

  const whole = await anthropic().messages.create(hello)
  const streamed = await anthropic().messages.stream(hello).finalMessage()

  const expected = { input_tokens: 20, cache_read_input_tokens: 80, output_tokens: 5 }
  expect(whole.usage).toMatchObject(expected)
  expect(streamed.usage).toMatchObject(expected)
})

test.each([
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
  ['stop', 'end_turn'],
  ['future_reason', 'future_reason'],
])('the finish reason %s is the stop reason %s', async (finishReason, expected) => {
  const { anthropic } = await startTestService({ models: { one: { finishReason } } })

  expect((await anthropic().messages.create(hello)).stop_reason).toBe(expected)
})

test('errors are the SDK’s own classes, with our code at the end of the message', async () => {
  const { anthropic, routerUrl } = await startTestService({
    models: { one: { reply: errorReply(503) } },
  })
  const client = anthropic()
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    )
  const wrongKey = client.withOptions({ apiKey: 'mp_wrong' })
  const noRouter = client.withOptions({
    baseURL: routerUrl.replace(/[^/]+$/, 'router_0000000000000000'),
  })

  const refused = await errorOf(client.messages.create({ ...hello, max_tokens: 0 }))
  const unavailable = await errorOf(client.messages.create(hello))

  expect(refused).toBeInstanceOf(BadRequestError)
  expect(refused).toMatchObject({
    status: 400,
    requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    error: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: '"max_tokens" must be >= 1. [invalid_parameter]',
      },
    },
  })
  expect(unavailable).toBeInstanceOf(InternalServerError)
  expect(String(unavailable)).toContain('[all_models_unavailable]')
  expect(await errorOf(wrongKey.messages.create(hello))).toBeInstanceOf(AuthenticationError)
  expect(await errorOf(noRouter.messages.create(hello))).toBeInstanceOf(NotFoundError)
})

test('an error after the first piece is an error event', async () => {
  const { post } = await startTestService({
    models: { one: { fault: { kind: 'reset', afterEvents: 3 } } },
  })

  const answer = await post('v1/messages', { ...hello, stream: true })
  const events = eventsOf(await answer.text())

  expect(events.at(-1)).toMatchObject({
    event: 'error',
    data: { type: 'error', error: { type: 'api_error', message: /\[all_models_unavailable\]$/ } },
  })
  expect(events.filter(({ event }) => event === 'message_stop')).toEqual([])
})

test('leaving a stream aborts the upstream', async () => {
  const { anthropic, ledger } = await startTestService({
    models: { one: { text: 'a b c d e f g h', chunks: 8, chunkDelayMs: 500 } },
  })
  const stream = anthropic().messages.stream(hello)
  stream.on('text', () => stream.abort())

  await expect(stream.finalMessage()).rejects.toThrow(APIUserAbortError)

  const [row] = await ledger(1)
  expect(row).toMatchObject({ status: 499 })
})

test('a key as a bearer works, and two different keys are a 400', async () => {
  const { post, apiKey } = await startTestService()

  const bearer = await post('v1/messages', hello)
  const same = await post('messages', hello, { headers: { 'x-api-key': apiKey } })
  const different = await post('v1/messages', hello, { headers: { 'x-api-key': 'mp_other' } })

  expect([bearer.status, same.status, different.status]).toEqual([200, 200, 400])
  expect(different.headers.get('x-modelport-error-code')).toBe('invalid_parameter')
})

test('a repeated Idempotency-Key replays the answer, and a preview answers nothing', async () => {
  const { post, fake } = await startTestService()
  const headers = { 'idempotency-key': 'once' }

  const first = await (await post('v1/messages', { ...hello, stream: true }, { headers })).text()
  const second = await post('v1/messages', { ...hello, stream: true }, { headers })
  const preview = await post('v1/messages', hello, { headers: { 'x-modelport-preview': 'true' } })

  expect(await second.text()).toBe(first)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await preview.json()).toMatchObject({
    object: 'modelport.preview',
    model: 'fake:fake-model',
  })
  expect(fake.requestCount()).toBe(1)
})

test('a model of the router is pinned, and an unknown one needs a key that accepts any name', async () => {
  const { anthropic, post, service } = await startTestService({ models: { one: {}, two: {} } })
  const any = await service.dashboard.createApiKey({
    name: 'any',
    routers: 'all',
    acceptAnyModel: true,
  })

  const pinned = await anthropic().messages.create({ ...hello, model: 'fake:two' })
  const unknown = { ...hello, model: 'claude-opus-5-5' }
  const refused = await post('v1/messages', unknown)
  const accepted = await post('v1/messages', unknown, {
    headers: { authorization: `Bearer ${any.key}` },
  })

  expect(pinned.model).toBe('fake:two')
  expect(refused.status).toBe(404)
  expect(accepted.status).toBe(200)
})

test.each([
  ['text', { text: 'Hello' }],
  ['reasoning', { reasoning: 'Hm.', text: 'Hello' }],
  ['tool calls', calls],
])('an answer with %s has every field of the published types', async (_name, model) => {
  const { post } = await startTestService({ models: { one: model } })

  const whole = (await (await post('v1/messages', hello)).json()) as Record<string, unknown>
  const streamed = await (await post('v1/messages', { ...hello, stream: true })).text()

  const { _meta, ...message } = whole
  expect(_meta).toBeDefined()
  // The first event of a stream has a whole message.
  expect(problemsOfMessageEvent({ type: 'message_start', message })).toEqual([])
  const events = eventsOf(streamed).filter(({ event }) => event !== 'message_stop')
  expect(events.length).toBeGreaterThan(3)
  const problems = events.flatMap(({ data }) => problemsOfMessageEvent(data))
  expect(problems).toEqual([])
})
