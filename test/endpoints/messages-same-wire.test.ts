/** Anthropic in and out: the body and the events of the answer stay as they were written. */
import { expect, test } from 'vitest'
import { withMembers } from '../../src/service/providers/json-members.ts'
import { errorReply } from '../fake-provider.ts'
import { eventsOf, startWithMessagesUpstream, streamed, whole } from './messages-upstream.ts'

/** A request as agents send it, with fields, marks and numbers that would not survive a translation. */
const sent =
  '{"model": "auto","max_tokens":9e2,"thinking":{"type":"adaptive","display":"omitted"}, "temperature":1.0,' +
  '"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},"future_field":{"b":1,"a":1.0},' +
  '"system":[{"type":"text","text":"You are \\u00e9 tool.","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
  '"tools":[{"name":"Read","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],' +
  '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},' +
  '{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"sig+/="},' +
  '{"type":"tool_use","id":"toolu_1","name":"Read","input":{"n":1.0}}]},' +
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x","cache_control":{"type":"ephemeral"}}]}]'
const body = `${sent}}`
const streamBody = `${sent},"stream":true}`
/** As the model takes it: of the sampling, it takes nothing. */
const asSent = (text: string) =>
  text.replace('"model": "auto"', '"model":"claude-opus-4-8"').replace('"temperature":1.0,', '')
const chatStreamBody = '{"messages":[{"role":"user","content":"Hi"}],"stream":true}'

test('the body arrives byte for byte but for the model, and a temperature that it does not take', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  await (await post('v1/messages', body)).text()
  upstream.answer = streamed('Hello')
  await (await post('v1/messages?beta=true', streamBody)).text()

  expect(upstream.requests.map(({ text }) => text)).toEqual([asSent(body), asSent(streamBody)])
})

test('the prefix of a conversation has the same bytes in each of its turns', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]
  const turns = Array.from({ length: 10 }, (_, turn) =>
    Array.from({ length: turn }, (__, past) => [
      { role: 'user', content: `question ${past}` },
      { role: 'assistant', content: [{ type: 'text', text: `answer ${past}` }] },
    ]).flat(),
  )

  for (const past of turns) {
    const messages = [...past, { role: 'user', content: 'now' }]
    const rest = sent.slice(0, sent.indexOf('"messages"'))
    await (await post('v1/messages', `${rest}"messages":${JSON.stringify(messages)}}`)).text()
  }

  const prefixes = turns.map((past, turn) => {
    const text = upstream.requests[turn]?.text ?? ''
    return text.slice(0, text.indexOf('"messages":[') + 11 + JSON.stringify(past).length - 1)
  })
  for (const [turn, prefix] of prefixes.entries()) {
    expect(prefixes[turn + 1] ?? prefix).toSatisfy((next: string) => next.startsWith(prefix))
  }
  expect(prefixes[9]).toContain('answer 8')
})

test('the family’s own headers go on, without those of the account, and never the caller’s key', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const headers = {
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'context-management-2025-06-27,future-beta',
    'x-claude-code-session-id': 'session',
    'anthropic-future': 'yes',
    'anthropic-workspace-id': 'no',
    'anthropic-dangerous-direct-browser-access': 'true',
  }

  await (await post('v1/messages', streamBody, { headers })).text()

  const [request] = upstream.requests
  expect(request?.headers).toMatchObject({
    'x-api-key': 'sk-ant-fake',
    'anthropic-beta': headers['anthropic-beta'],
    'anthropic-version': '2023-06-01',
    'anthropic-future': 'yes',
  })
  expect(request?.headers).not.toHaveProperty('authorization')
  expect(request?.headers).not.toHaveProperty('x-claude-code-session-id')
  expect(request?.headers).not.toHaveProperty('anthropic-workspace-id')
  expect(request?.headers).not.toHaveProperty('anthropic-dangerous-direct-browser-access')
})

test.each([
  ['v1/messages', '/v1/messages'],
  ['v1/messages?beta=true&key=mp_other', '/v1/messages?beta=true'],
  ['v1/messages/count_tokens?beta=true', '/v1/messages/count_tokens?beta=true'],
])('a request to %s is sent to %s', async (path, asked) => {
  const { post, upstream } = await startWithMessagesUpstream()

  await (await post(path, path.includes('count') ? body : streamBody)).text()

  expect(upstream.requests[0]?.path).toBe(asked)
})

test('the events of the answer are the upstream’s own, but for model and _meta', async () => {
  const { post } = await startWithMessagesUpstream()

  const answer = await post('v1/messages', streamBody)
  const events = eventsOf(await answer.text())

  const upstreams = streamed('Hello').map((data) => JSON.parse(data) as Record<string, unknown>)
  const meta = events.at(-1)?.data['_meta']
  const expected = upstreams.map((data) => {
    if (data['type'] === 'message_stop') return { ...data, _meta: meta }
    if (data['type'] !== 'message_start') return data
    return { ...data, message: { ...(data['message'] as object), model: 'claude:claude-opus-4-8' } }
  })
  expect(events.map(({ data }) => data)).toEqual(expected)
  expect(events.map(({ event }) => event)).toEqual(upstreams.map(({ type }) => type))
  expect(meta).toMatchObject({ modelUsed: 'claude:claude-opus-4-8' })
})

test('fields of the last event are kept, with long numbers as written, beside _meta', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const metrics = `"metrics":{"outputTokens":4,"note":"${'x'.repeat(300)}"},"trace":12345678901234567890`
  upstream.answer = [...streamed('Hello').slice(0, -1), `{"type":"message_stop",${metrics}}`]

  const text = await (await post('v1/messages', streamBody)).text()

  expect(text.match(/^event: message_stop$/gm)).toHaveLength(1)
  expect(text).toContain(`\ndata: {"type":"message_stop",${metrics},"_meta":{`)
  expect(eventsOf(text).at(-1)?.data['_meta']).toMatchObject({
    modelUsed: 'claude:claude-opus-4-8',
  })
})

test('a whole answer is the upstream’s own, but for model and _meta, and is metered', async () => {
  const { post, upstream, ledger } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  const answer = (await (await post('v1/messages', body)).json()) as Record<string, unknown>

  expect(answer).toEqual({
    ...(JSON.parse(whole('Hello')) as object),
    model: 'claude:claude-opus-4-8',
    _meta: expect.objectContaining({ modelUsed: 'claude:claude-opus-4-8' }) as unknown,
  })
  const [row] = await ledger(1)
  expect(row).toMatchObject({ status: 200, modelUsed: 'claude:claude-opus-4-8' })
})

test('a long answer is streamed by the upstream and arrives whole, with every block', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = streamed('Hello')

  const long = withMembers(body, { max_tokens: '32000' })
  const answer = (await (await post('v1/messages', long)).json()) as Record<string, unknown>

  expect(JSON.parse(upstream.requests[0]?.text ?? '')).toMatchObject({ stream: true })
  expect(answer).toMatchObject({
    id: 'msg_upstream',
    model: 'claude:claude-opus-4-8',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig+/=' },
      { type: 'server_tool_use', id: 'srvtoolu_1' },
      { type: 'text', text: 'Hello' },
    ],
    stop_reason: 'end_turn',
    usage: { output_tokens: 4 },
  })
})

test('service_tier does not go on, and the answer says so', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  const answer = await post('v1/messages', withMembers(body, { service_tier: '"priority"' }))

  expect(answer.headers.get('x-modelport-adjusted')).toBe('service_tier=left_out')
  expect(upstream.requests[0]?.text).toBe(asSent(body))
})

test('fields that choose another model or price do not go on, and the answer says so', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]
  const fallbacks = '[{"model":"claude-opus-4-1"}]'

  const answer = await post(
    'v1/messages',
    withMembers(body, { speed: '"fast"', fallbacks, store: 'true' }),
  )

  expect(answer.headers.get('x-modelport-adjusted')).toBe(
    'fallbacks=left_out, speed=left_out, store=left_out',
  )
  expect(upstream.requests[0]?.text).toBe(asSent(body))
})

test('a repeated field is refused, because the upstream might read the other one', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const first = '{"max\\u005ftokens":64000,'

  const refused = await post('v1/messages', body.replace('{', first))

  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { message: '"max_tokens" is given more than once. [invalid_parameter]' },
  })
  expect(upstream.requests).toEqual([])
})

test('thinking that another vendor’s model wrote is taken out of the body', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  await (await post('v1/messages', body.replace('"signature":"sig+/="', '"signature":""'))).text()

  const { messages } = JSON.parse(upstream.requests[0]?.text ?? '') as { messages: unknown[] }
  expect(messages[1]).toMatchObject({ content: [{ type: 'tool_use' }] })
})

test('a fall-over to another wire before the first piece is translated, with no event of the first', async () => {
  const started = await startWithMessagesUpstream({ models: { other: { text: 'From elsewhere' } } })
  const { post, upstream } = started
  // It breaks off before the first piece.
  upstream.answer = streamed('Hello').slice(0, 3)

  const events = eventsOf(await (await post('v1/messages', streamBody)).text())

  const text = events.map(
    ({ data }) => (data['delta'] as { text?: string } | undefined)?.text ?? '',
  )
  expect(text.join('')).toBe('From elsewhere')
  expect(events.filter(({ event }) => event === 'message_start')).toHaveLength(1)
  expect(events[0]?.data).toMatchObject({ message: { model: 'fake:other' } })
})

test('a fall-over from another wire sends the caller’s own body', async () => {
  const started = await startWithMessagesUpstream({ models: { other: { reply: errorReply(500) } } })
  const { post, upstream, service, routerId } = started
  upstream.answer = [whole('Hello')]
  const models = ['fake:other', 'claude:claude-opus-4-8']
  await service.dashboard.updateRouter(routerId, { name: 'Test', strategy: 'priority', models })

  const answer = await post('v1/messages', body)

  expect(await answer.json()).toMatchObject({ id: 'msg_upstream', future: { a: 1 } })
  expect(upstream.requests[0]?.text).toBe(asSent(body))
})

test('a forced server tool goes only to models of its vendor', async () => {
  const { post, upstream, service, routerId } = await startWithMessagesUpstream({
    models: { other: {} },
  })
  upstream.answer = [whole('Hello')]
  const models = ['fake:other', 'claude:claude-opus-4-8']
  await service.dashboard.updateRouter(routerId, { name: 'Test', strategy: 'priority', models })
  const forced = withMembers(body, { tool_choice: '{"type":"tool","name":"web_search"}' })

  const answer = (await (await post('v1/messages', forced)).json()) as { model: string }
  await service.dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:other'],
  })
  const refused = await post('v1/messages', forced)

  expect(answer.model).toBe('claude:claude-opus-4-8')
  expect(refused.status).toBe(400)
  expect(refused.headers.get('x-modelport-error-code')).toBe('no_capable_model')
})

test.each([
  ['v1/messages', '{"max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"stream":true}'],
  ['v1/chat/completions', chatStreamBody],
])(
  'an answer at %s that breaks off before its first output is billed by the counts of its beginning',
  async (path, text) => {
    const { post, get, upstream, service, ledger } = await startWithMessagesUpstream({
      models: { other: {} },
    })
    const price = { inputUsdPerMtok: 0, outputUsdPerMtok: 0, contextTokens: 100_000 }
    await service.dashboard.saveModel({ id: 'fake:other', ...price })
    upstream.answer = streamed('x').slice(0, 2)

    const answer = await post(path, text)
    await answer.text()

    const [row] = await ledger(1)
    const found = await get(`v1/requests/${answer.headers.get('x-request-id')}`)
    expect(row).toMatchObject({ status: 200, attempts: 2, modelUsed: 'fake:other' })
    // The first model's prompt, 100 tokens and one of output, as it said before its stream broke; the other is free.
    expect(row?.costNanoUsd).toBe(100 * 1_000 + 2_000)
    const told = expect.stringContaining('its prompt costs what the provider counted')
    expect(await found.json()).toMatchObject({ detail: { attempts: [{ message: told }, {}] } })
  },
)

test.each([
  ['v1/messages', streamBody],
  ['v1/chat/completions', chatStreamBody],
])(
  'an answer at %s that breaks off is billed by the counts of its beginning',
  async (path, text) => {
    const { post, get, upstream, ledger } = await startWithMessagesUpstream()
    upstream.answer = streamed('x'.repeat(33)).slice(0, -3)

    const answer = await post(path, text)
    await answer.text()

    const [row] = await ledger(1)
    const found = await get(`v1/requests/${answer.headers.get('x-request-id')}`)
    // Of the answer, 33 characters of text and 3 of thinking arrived.
    const tokens = { input: 7, cacheRead: 90, cacheWrite: 3, output: 10, reasoning: null }
    expect(await found.json()).toMatchObject({ detail: { tokenSource: 'estimated', tokens } })
    expect(row).toMatchObject({ errorCode: 'all_models_unavailable', estimatedPromptTokens: 100 })
    expect(row?.costNanoUsd).toBe(100 * 1_000 + 10 * 2_000)
  },
)

test.each([
  ['v1/messages', streamBody],
  ['v1/chat/completions', chatStreamBody],
])(
  'an answer at %s that its caller aborts is billed by the counts of its beginning',
  async (path, text) => {
    const { post, upstream, ledger } = await startWithMessagesUpstream()
    upstream.answer = streamed('x'.repeat(33)).slice(0, -3)
    upstream.isEndless = true
    const caller = new AbortController()

    const answer = await post(path, text, { signal: caller.signal })
    let read = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      read += piece
      if (read.includes('xxx')) break
    }
    caller.abort()

    const [row] = await ledger(1)
    expect(row).toMatchObject({ status: 499, estimatedPromptTokens: 100 })
    expect(row?.costNanoUsd).toBe(100 * 1_000 + 10 * 2_000)
  },
)

const safeguards = [{ type: 'dangerous_tool_use', name: 'check', future: { n: 1 } }]
const safeguardResults = [
  { type: 'dangerous_tool_use', tool_use_id: 'toolu_1', verdict: 'allow', future: true },
]

test('safeguards and their beta arrive untouched, and their results come back whole and streamed', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const headers = { 'anthropic-beta': 'safeguards-2026-09-01,another-beta-2026-01-01' }
  const results = { safeguard_results: safeguardResults }
  const request = (stream: boolean) =>
    `${sent},"safeguards":${JSON.stringify(safeguards)}${stream ? ',"stream":true' : ''}}`
  upstream.answer = [
    whole('Hello').replace(/\}$/, `,"safeguard_results":${JSON.stringify(safeguardResults)}}`),
  ]

  const answer = await post('v1/messages?beta=true', request(false), { headers })
  const inOnePiece: unknown = await answer.json()
  upstream.answer = streamed('Hello').map((event) =>
    event.includes('"message_delta"')
      ? event.replace(/\}$/, `,"safeguard_results":${JSON.stringify(safeguardResults)}}`)
      : event,
  )
  const events = eventsOf(await (await post('v1/messages', request(true), { headers })).text())

  expect(inOnePiece).toMatchObject(results)
  expect(events.find(({ event }) => event === 'message_delta')?.data).toMatchObject(results)
  for (const { text, headers: arrived } of upstream.requests) {
    expect(text).toContain(`"safeguards":${JSON.stringify(safeguards)}`)
    expect(arrived['anthropic-beta']).toBe(headers['anthropic-beta'])
  }
})

test('while a client asks for safeguards, a model that answers them comes first', async () => {
  const { post, upstream, service, routerId } = await startWithMessagesUpstream({
    models: { one: { text: 'From elsewhere.' } },
  })
  const models = ['fake:one', 'claude:claude-opus-4-8']
  await service.dashboard.updateRouter(routerId, { name: 'Test', strategy: 'priority', models })
  upstream.answer = [whole('Checked.')]
  const messages = '"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]'

  const checked = await post(
    'v1/messages',
    `{${messages},"safeguards":${JSON.stringify(safeguards)}}`,
  )
  const plain = await post('v1/messages', `{${messages}}`)

  expect(await checked.text()).toContain('Checked.')
  expect(checked.headers.get('x-modelport-adjusted') ?? '').not.toContain('safeguards')
  expect(await plain.text()).toContain('From elsewhere.')
})
