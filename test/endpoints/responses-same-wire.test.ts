/** The Responses API in and out: the body and the events of the answer stay as they were written. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { withMembers } from '../../src/service/providers/json-members.ts'
import { errorReply } from '../fake-provider.ts'
import { eventsOf } from './messages-upstream.ts'
import {
  model,
  startWithResponsesUpstream,
  streamed,
  whole,
  type WithResponsesUpstream,
} from './responses-upstream.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

/** A request as agents send it, with fields and numbers that would not survive a translation. */
const sent =
  '{"model": "auto","store":false,"reasoning":{"effort":"medium","context":"all_turns"}, "max_output_tokens":9e3,' +
  '"include":["reasoning.encrypted_content"],"future_field":{"b":1,"a":1.0},"prompt_cache_key":"session",' +
  '"tools":[{"type":"custom","name":"exec","format":{"type":"grammar","syntax":"lark","definition":"start: /x/"}},' +
  '{"type":"web_search","external_web_access":true},{"type":"future_tool"}],' +
  '"input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"You are \\u00e9."}]},' +
  '{"type":"future_item","n":1.0},' +
  '{"type":"reasoning","id":"rs_1","summary":[],"content":null,"encrypted_content":"secret+/="},' +
  '{"type":"custom_tool_call","call_id":"call_1","name":"exec","input":"1.0"},' +
  '{"type":"custom_tool_call_output","call_id":"call_1","output":[{"type":"input_text","text":"x"}]}]'
const body = `${sent}}`
const streamBody = `${sent},"stream":true}`
const forUpstream = (text: string) => text.replace('"model": "auto"', '"model":"gpt-5.5"')

let started: WithResponsesUpstream

const atEnd = endOfGroup()
beforeAll(async () => {
  const models = { other: { text: 'From elsewhere' } }
  started = await startWithResponsesUpstream({ models }, atEnd)
})

beforeEach(async () => {
  started.upstream.requests.length = 0
  started.upstream.answer = [whole('Hello')]
  started.fake.setModel('other', { text: 'From elsewhere' })
  await started.use(model, 'fake:other')
})

async function post(text: string, headers: Record<string, string> = {}) {
  return await started.post('v1/responses', text, { headers })
}

test('the body arrives byte for byte but for the model', async () => {
  const { upstream } = started

  await (await post(body)).text()
  upstream.answer = streamed('Hello')
  await (await post(streamBody)).text()

  expect(upstream.requests.map(({ text }) => text)).toEqual([body, streamBody].map(forUpstream))
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
})

test('nothing is stored at the vendor unless the caller says so', async () => {
  await (await post(body.replace('"store":false,', ''))).text()

  expect(started.upstream.requests[0]?.text).toBe(
    forUpstream(`${sent.replace('"store":false,', '')},"store":false}`),
  )
})

test('only openai-beta goes on of the caller’s headers, and never the caller’s key', async () => {
  await post(body, { 'openai-beta': 'future=1', 'session-id': 'session', originator: 'codex_exec' })

  const [request] = started.upstream.requests
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer sk-fake',
    'openai-beta': 'future=1',
  })
  expect(request?.headers).not.toHaveProperty('session-id')
  expect(request?.headers).not.toHaveProperty('originator')
})

test('the events of the answer are the upstream’s own, but for model and _meta', async () => {
  started.upstream.answer = streamed('Hello')

  const text = await (await post(streamBody)).text()

  const events = eventsOf(text)
  const upstreams = streamed('Hello').map((data) => JSON.parse(data) as Record<string, unknown>)
  const { _meta: meta } = (events.at(-1)?.data['response'] ?? {}) as { _meta?: unknown }
  const expected = upstreams.map((data) => {
    if (data['response'] === undefined) return data
    const response = { ...(data['response'] as object), model }
    const isLast = data['type'] === 'response.completed'
    return { ...data, response: isLast ? { ...response, _meta: meta } : response }
  })
  expect(events.map(({ data }) => data)).toEqual(expected)
  expect(events.map(({ event }) => event)).toEqual(upstreams.map(({ type }) => type))
  expect(meta).toMatchObject({ modelUsed: model })
  for (const data of streamed('Hello').filter((one) => !one.includes('"response":'))) {
    expect(text).toContain(`data: ${data}\n\n`)
  }
})

test('a whole answer is the upstream’s own, but for model and _meta, and is metered', async () => {
  const rows = (await started.ledger(0)).length

  const answer: unknown = await (await post(body)).json()

  expect(answer).toEqual({
    ...(JSON.parse(whole('Hello')) as object),
    model,
    _meta: expect.objectContaining({ modelUsed: model }) as unknown,
  })
  const [row] = await started.ledger(rows + 1)
  expect(row).toMatchObject({ status: 200, modelUsed: model, reportedPromptTokens: 100 })
})

test('long numbers of an answer keep their digits, whole and streamed', async () => {
  const long = '12345678901234567890'
  const withOwn = (text: string) => text.replace('"object":"response"', `$&,"own":${long}`)
  started.upstream.answer = [withOwn(whole('Hello'))]
  const answer = await (await post(body)).text()
  started.upstream.answer = streamed('Hello').map(withOwn)
  const stream = await (await post(streamBody)).text()

  expect(answer).toContain(`"own":${long}`)
  expect(stream.match(new RegExp(`"own":${long}`, 'g'))).toHaveLength(3)
})

test('service_tier does not go on, and the answer says so', async () => {
  const answer = await post(withMembers(body, { service_tier: '"priority"' }))

  expect(answer.headers.get('x-modelport-adjusted')).toBe('service_tier=left_out')
  expect(started.upstream.requests[0]?.text).toBe(forUpstream(body))
})

test('a repeated field is refused, because the upstream might read the other one', async () => {
  const refused = await post(body.replace('{', '{"mod\\u0065l":"gpt-5.5-pro",'))

  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { param: 'model', code: 'invalid_parameter' },
  })
  expect(started.upstream.requests).toEqual([])
})

test('reasoning that another vendor’s model wrote is taken out of the body', async () => {
  await (await post(body.replace(',"encrypted_content":"secret+/="', ''))).text()

  const { input } = JSON.parse(started.upstream.requests[0]?.text ?? '') as { input: object[] }
  expect(input.map((item) => new Map(Object.entries(item)).get('type'))).toEqual([
    'message',
    'future_item',
    'custom_tool_call',
    'custom_tool_call_output',
  ])
})

test('a fall-over to another wire before the first piece is translated, with no event of the first', async () => {
  started.upstream.answer = streamed('Hello').slice(0, 3)

  const events = eventsOf(await (await post(streamBody)).text())

  const texts = events.map(({ data }) =>
    data['type'] === 'response.output_text.delta' ? data['delta'] : '',
  )
  expect(texts.join('')).toBe('From elsewhere')
  expect(events.filter(({ event }) => event === 'response.created')).toHaveLength(1)
  expect(events.at(-1)?.data).toMatchObject({ response: { model: 'fake:other' } })
})

test('a fall-over from another wire sends the caller’s own body', async () => {
  await started.use('fake:other', model)
  started.fake.setModel('other', { reply: errorReply(500) })

  const answer = await post(body)

  expect(await answer.json()).toMatchObject({ id: 'resp_upstream', future: { a: 1 } })
  expect(started.upstream.requests[0]?.text).toBe(forUpstream(body))
})

test('a forced server tool goes only to models of its vendor', async () => {
  await started.use('fake:other', model)

  const answer = await post(withMembers(body, { tool_choice: '{"type":"web_search"}' }))

  expect(await answer.json()).toMatchObject({ model })
})

test('stored answers are passed on where all models are of one provider that keeps them', async () => {
  const stored = withMembers(body, { store: 'true', previous_response_id: '"resp_1"' })

  const refused = await post(stored)
  await started.use(model)
  const answer = await post(stored)

  expect(refused.status).toBe(400)
  expect(await answer.json()).toMatchObject({ id: 'resp_upstream' })
  expect(started.upstream.requests.map(({ text }) => text)).toEqual([forUpstream(stored)])
})

test('requests that need stored answers bypass the response cache', async () => {
  const { service, routerId, upstream } = started
  const router = { name: 'Test', strategy: 'priority' as const, models: [model] }
  await service.dashboard.updateRouter(routerId, { ...router, cacheTtlSeconds: 60 })
  const inConversation = withMembers(body, { conversation: '"conv_1"' })

  const caches = []
  for (const text of [inConversation, inConversation, body, body]) {
    const answer = await post(text)
    await answer.text()
    caches.push(answer.headers.get('x-modelport-cache'))
  }

  expect(caches).toEqual([null, null, 'miss', 'hit'])
  expect(upstream.requests).toHaveLength(3)
})

test('a model that the Responses API does not serve is asked in the chat form', async () => {
  const id = 'openai:gpt-4o-search-preview'
  await started.service.dashboard.saveModel({
    id,
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    capabilities: [],
  })
  await started.use(id)

  await post('{"model":"auto","input":"Hello"}')

  expect(started.upstream.requests[0]?.path).toBe('/v1/chat/completions')
})

test('a chat caller of the same model is still sent to chat completions', async () => {
  await started.post('chat/completions', { messages: [{ role: 'user', content: 'Hello' }] })

  expect(started.upstream.requests[0]?.path).toBe('/v1/chat/completions')
})
