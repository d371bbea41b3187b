/** What Claude Code and opencode break, loop or wait without at the Messages address, one test for each. */
import { expect, test } from 'vitest'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { eventsOf, startWithMessagesUpstream, whole } from './messages-upstream.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const tools = [
  { name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } },
  { name: 'Later', input_schema: { type: 'object' }, defer_loading: true },
]
/** The shape of Claude Code's first request. */
const first = {
  model: 'claude-opus-5-5',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Surroundings' },
        { type: 'text', text: 'Question' },
      ],
    },
    {
      role: 'system',
      content: [{ type: 'text', text: 'Instructions', ...mark }],
      output_config: { effort: 'medium' },
    },
  ],
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=1' },
    { type: 'text', text: 'Prompt', ...mark },
  ],
  tools,
  metadata: { user_id: '{"device_id":"d"}' },
  max_tokens: 128_000,
  thinking: { type: 'adaptive', display: 'omitted' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'medium' },
  stream: true,
}
const answered = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'I will read.', signature: '' },
    { type: 'text', text: 'Reading.' },
    { type: 'tool_use', id: 'call_a', name: 'Read', input: { path: 'a' } },
    { type: 'tool_use', id: 'call_b', name: 'Read', input: { path: 'b' } },
  ],
}
const results = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'call_b', content: 'B' },
    { type: 'tool_result', tool_use_id: 'call_a', content: 'A', ...mark },
  ],
}
const [question] = first.messages
const instructions = {
  role: 'system',
  content: 'Instructions',
  output_config: { effort: 'medium' },
}
const second = { ...first, messages: [question, instructions, answered, results] }

const callOf = (id: string) => ({ id, name: 'Read', argumentPieces: ['{"path":"a"}'] })
const callsTool: FakeModelScript = { toolCalls: [callOf('call_a'), callOf('call_b')] }

async function start(script: FakeModelScript = {}): Promise<TestService> {
  const started = await startTestService({ models: { one: script } })
  const { key } = await started.service.dashboard.createApiKey({
    name: 'any',
    routers: 'all',
    acceptAnyModel: true,
  })
  const post: TestService['post'] = (path, body, init) =>
    started.post(path, body, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init?.headers },
    })
  return { ...started, post }
}

const messagesOf = ({ fake }: TestService) => fake.requests.at(-1)?.body?.['messages']

test('rule 11: system messages stand inside messages, as a list and as a text', async () => {
  const started = await start()

  await (await started.post('v1/messages?beta=true', first)).text()
  const before = messagesOf(started) as object[]
  await (await started.post('v1/messages?beta=true', second)).text()
  const after = messagesOf(started) as object[]

  expect(before.map((message) => new Map(Object.entries(message)).get('role'))).toEqual([
    'system',
    'user',
    'system',
  ])
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after[2]).toEqual({ role: 'system', content: 'Instructions' })
})

test('rule 12: message_start has a usage, and every event an event line', async () => {
  const { post } = await start({ text: 'Hi' })

  const events = eventsOf(await (await post('v1/messages', first)).text())

  expect(events[0]?.data).toMatchObject({
    type: 'message_start',
    message: { usage: { input_tokens: expect.any(Number) as unknown, output_tokens: 0 } },
  })
  expect(events.map(({ event }) => event)).toEqual(events.map(({ data }) => data['type']))
})

test('rule 13: no event has a type that the family lacks', async () => {
  const { post } = await start({ ...callsTool, text: 'Hi', reasoning: 'Hm' })

  const events = eventsOf(await (await post('v1/messages', first)).text())

  const family =
    'message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping error'
  for (const { event } of events) expect(family.split(' ')).toContain(event)
  expect(events.at(-1)?.data).toMatchObject({
    type: 'message_stop',
    _meta: { modelUsed: 'fake:one' },
  })
})

test('rule 14: the body ends right after message_stop', async () => {
  const { post } = await start({ text: 'Hi' })

  const text = await (await post('v1/messages', first)).text()

  expect(text.slice(text.lastIndexOf('event: '))).toMatch(
    /^event: message_stop\ndata: \{[^\n]*\}\n\n$/,
  )
})

test('rule 15: the same request without streaming gets one JSON object with its tools', async () => {
  const { post } = await start(callsTool)

  const answer = await post('v1/messages', { ...second, stream: false, max_tokens: 64_000 })

  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toMatchObject({
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', name: 'Read' }, { type: 'tool_use' }],
  })
})

test.each([
  [
    ['X', 'X_1'],
    ['X', 'X_1-1'],
  ],
  [
    ['X_1', 'X'],
    ['X_1', 'X-1'],
  ],
  [
    ['functions.Read:0', 'functions.Read:1'],
    ['functions_Read_0', 'functions_Read_1'],
  ],
])(
  'rule 16: the tool use ids of %s are unique and none is another with a number',
  async (ids, expected) => {
    const { post } = await start({ toolCalls: ids.map(callOf) })

    const entire = (await (await post('v1/messages', { ...first, stream: false })).json()) as {
      content: { id: string }[]
    }
    const events = eventsOf(await (await post('v1/messages', first)).text())

    expect(entire.content.map(({ id }) => id)).toEqual(expected)
    const blocks = events.map(
      ({ data }) => (data['content_block'] as { id?: string } | undefined)?.id,
    )
    expect(blocks.filter((id) => id !== undefined)).toEqual(expected)
  },
)

test('rule 17: tool results belong to their calls by id, in any order', async () => {
  const started = await start()

  await (await started.post('v1/messages', second)).text()

  expect(messagesOf(started)).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { role: 'system' },
    { role: 'assistant', tool_calls: [{ id: 'call_a' }, { id: 'call_b' }] },
    { role: 'tool', tool_call_id: 'call_a', content: 'A' },
    { role: 'tool', tool_call_id: 'call_b', content: 'B' },
  ])
})

test('rule 18: counts of tokens come in bursts, with no tools, and count against no limit', async () => {
  const { post, ledger, fake } = await start()
  const body = { model: 'x', messages: [{ role: 'user', content: 'Hi' }], tools: [] }

  const answers = await Promise.all(
    Array.from({ length: 27 }, () => post('v1/messages/count_tokens?beta=true', body)),
  )

  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-modelport-estimated')).toBe('true')
  }
  expect(await answers[0]?.json()).toEqual({ input_tokens: expect.any(Number) as unknown })
  await (await post('v1/messages', first)).text()
  expect(await ledger(1)).toHaveLength(1)
  expect(fake.requestCount()).toBe(1)
})

test('rule 19: the connection check without a key is a 404, and no failed login', async () => {
  const { get, routerUrl, service } = await start()
  const { key } = await service.dashboard.createApiKey({
    name: 'metrics',
    routers: 'all',
    metrics: true,
  })

  const answer = await get(`${routerUrl}/api/hello`, {
    method: 'HEAD',
    headers: { authorization: '' },
  })
  const metrics = await get(new URL('/metrics', routerUrl).href, {
    headers: { authorization: `Bearer ${key}` },
  })

  expect(answer.status).toBe(404)
  expect(await metrics.text()).not.toMatch(/^modelport_refusals_total.*invalid_api_key/m)
})

test('rule 21: final errors say that a repetition is useless', async () => {
  const { post, routerUrl } = await start()
  const wrongKey = { headers: { authorization: 'Bearer mp_wrong' } }

  const answers = [
    await post('v1/messages', first, wrongKey),
    await post('v1/messages', { ...first, messages: [] }),
    await post(`${routerUrl}/v1/messages/batches`, first),
    await post('v1/messages', '{'),
  ]

  expect(answers.map(({ status }) => status)).toEqual([401, 400, 404, 400])
  for (const answer of answers) {
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'))
    expect(await answer.json()).toMatchObject({ type: 'error', error: { message: /\[\w+\]$/ } })
  }
})

test('rule 25: refused requests do not count against the daily limit', async () => {
  const { post } = await startTestService({ router: { tier: 'enterprise', dailyLimit: 5 } })
  const named = { ...first, model: 'auto' }

  for (let nth = 0; nth < 6; nth += 1) await post('v1/messages', { ...named, messages: [] })
  const answer = await post('v1/messages', { ...named, stream: false })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('4')
})

test('rule 26: usage has the tokens of this request, not of the attempts before it', async () => {
  const { post, upstream } = await startWithMessagesUpstream({ models: { other: { text: 'Hi' } } })
  upstream.answer = [whole('x').slice(0, 40)]

  const answer = (await (
    await post('v1/messages', { ...first, model: 'auto', stream: false })
  ).json()) as {
    usage: Record<string, number>
    model: string
  }

  expect(answer.model).toBe('fake:other')
  expect(answer.usage['input_tokens']).toBeLessThan(200)
})
