/** Headers of the vendor's answer reach a caller that speaks the vendor's form, and only that one. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FakeModelScript } from '../fake-provider.ts'
import { startEmbeddings } from '../embeddings/start-embeddings.ts'
import { startTestService } from '../test-service.ts'
import { startWithMessagesUpstream, streamed, whole } from './messages-upstream.ts'
import * as responses from './responses-upstream.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const messages = [{ role: 'user', content: 'Hi' }]
const body = { model: 'auto', max_tokens: 100, messages }
const anthropics = {
  'request-id': 'req_vendor',
  'anthropic-ratelimit-requests-remaining': '49',
  'anthropic-ratelimit-tokens-reset': '2026-11-23T10:00:00Z',
}
const others = {
  'anthropic-organization-id': 'org',
  'x-request-id': 'other',
  'x-ratelimit-remaining-requests': '1',
  'set-cookie': 'a=b',
}

function expectAnthropics({ headers }: Response): void {
  expect(Object.fromEntries(headers)).toMatchObject(anthropics)
  expect(headers.get('x-request-id')).toMatch(uuid)
  expect(headers.get('x-ratelimit-remaining-requests')).not.toBe('1')
  expect(headers.get('anthropic-organization-id')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
}

describe('at a provider in Anthropic’s form', () => {
  test('an answer of the Messages form has its request id and limits, whole and streamed', async () => {
    const { post, upstream } = await startWithMessagesUpstream()
    upstream.headers = { ...anthropics, ...others }

    const stream = await post('v1/messages', { ...body, stream: true })
    const events = await stream.text()
    upstream.answer = [whole('Hello')]
    const answer = await post('v1/messages', body)

    expectAnthropics(stream)
    expect(events).toContain('event: message_stop')
    expectAnthropics(answer)
  })

  test.each([
    ['a refusal', { status: 400, type: 'invalid_request_error', answered: 400 }],
    ['a limit', { status: 429, type: 'rate_limit_error', answered: 503 }],
    ['a refusal within the stream', { status: 200, type: 'invalid_request_error', answered: 400 }],
  ])('%s that ends the request has them too', async (_name, { status, type, answered }) => {
    const { post, upstream } = await startWithMessagesUpstream()
    const error = JSON.stringify({ type: 'error', error: { type, message: 'No.' } })
    upstream.status = status
    upstream.answer = status === 200 ? [error, '{"type":"ping"}'] : [error]
    upstream.headers = { ...anthropics, ...others, 'retry-after': '30' }

    const refused = await post('v1/messages', { ...body, stream: true })

    expect(refused.status).toBe(answered)
    expectAnthropics(refused)
    expect(await refused.json()).toMatchObject({ request_id: 'req_vendor' })
  })

  test('a web page may read them', async () => {
    const { post, upstream, service } = await startWithMessagesUpstream()
    const origin = 'https://app.example.com'
    await service.dashboard.setSetting('allowedOrigins', [origin])
    upstream.headers = anthropics
    const ask = async (answer: readonly string[], status: number) => {
      upstream.answer = [...answer]
      upstream.status = status
      const { headers } = await post('v1/messages', body, { headers: { origin } })
      return headers.get('access-control-expose-headers')?.split(', ')
    }
    const error = JSON.stringify({ type: 'error', error: { type: 'x', message: 'No.' } })

    const readable = [await ask([whole('Hello')], 200), await ask([error], 400)]

    for (const names of readable) {
      expect(names).toEqual(expect.arrayContaining([...Object.keys(anthropics), 'retry-after']))
    }
  })

  test('after a fall-over, the answer has none of the model that failed', async () => {
    const { post, upstream } = await startWithMessagesUpstream({ models: { other: {} } })
    upstream.status = 500
    upstream.headers = anthropics

    const { status, headers } = await post('v1/messages', body)

    expect(status).toBe(200)
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBeNull()
  })

  test('a value that no vendor sends does not go on', async () => {
    const { post, upstream } = await startWithMessagesUpstream()
    upstream.answer = [whole('Hello')]
    upstream.headers = { 'anthropic-ratelimit-a': 'x'.repeat(300), 'request-id': '\u00e9' }

    const { status, headers } = await post('v1/messages', body)

    expect(status).toBe(200)
    expect(headers.get('anthropic-ratelimit-a')).toBeNull()
    expect(headers.get('request-id')).toMatch(uuid)
  })

  test('a caller of another form gets none', async () => {
    const { post, upstream } = await startWithMessagesUpstream()
    upstream.headers = { ...anthropics, 'openai-processing-ms': '7' }
    upstream.answer = [...streamed('Hello')]

    const answer = await post('v1/chat/completions', { messages, stream: true })
    await answer.text()

    const { headers } = answer
    expect(headers.get('request-id')).toBeNull()
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBeNull()
    expect(headers.get('openai-processing-ms')).toBeNull()
  })
})

const openAis = { 'openai-processing-ms': '42', ...others }

function expectOpenAis({ headers }: Response): void {
  expect(headers.get('openai-processing-ms')).toBe('42')
  expect(headers.get('x-request-id')).toMatch(uuid)
  expect(headers.get('x-ratelimit-remaining-requests')).not.toBe('1')
  expect(headers.get('set-cookie')).toBeNull()
}

const finished = { index: 0, finish_reason: 'stop' }
const answers = (['message', 'delta'] as const).map((name) =>
  JSON.stringify({ choices: [{ ...finished, [name]: { role: 'assistant', content: 'Hi' } }] }),
)

describe('at a provider in OpenAI’s form', () => {
  test.each([true, false])('chats have its time (fast lane %s)', async (fastLane) => {
    const [asWhole = '', asStream = ''] = answers
    const script = (contentType: string, text: string, status = 200): FakeModelScript => ({
      reply: { status, headers: { ...openAis, 'content-type': contentType }, body: text },
    })
    const { service, fake, post } = await startTestService()
    await service.dashboard.setSetting('fastLane', fastLane)
    const ask = async (stream: boolean, reply: FakeModelScript) => {
      fake.setModel('fake-model', reply)
      const answer = await post('chat/completions', { messages, stream })
      await answer.text()
      return answer
    }

    const answer = await ask(false, script('application/json', asWhole))
    const events = `data: ${asStream}\n\ndata: [DONE]\n\n`
    const stream = await ask(true, script('text/event-stream', events))
    const refused = await ask(true, script('application/json', '{"error":{}}', 400))

    expect([answer.status, stream.status, refused.status]).toEqual([200, 200, 400])
    for (const each of [answer, stream, refused]) expectOpenAis(each)
  })

  test('responses have its time', async () => {
    const { post, upstream } = await responses.startWithResponsesUpstream({}, onTestFinished)
    upstream.headers = openAis

    const stream = await post('v1/responses', { input: 'Hi', stream: true })
    await stream.text()
    upstream.answer = [responses.whole('Hello')]
    const answer = await post('v1/responses', { input: 'Hi' })

    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expectOpenAis(stream)
    expectOpenAis(answer)
  })

  test('embeddings have its time', async () => {
    const vectors = JSON.stringify({
      data: [{ index: 0, embedding: [1, 0] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    })
    const headers = { ...openAis, 'content-type': 'application/json' }
    const small = { reply: { status: 200, headers, body: vectors } }
    const { post } = await startEmbeddings(onTestFinished, { small })

    const answer = await post('embeddings', { input: 'Hello' })

    expect(answer.status).toBe(200)
    expectOpenAis(answer)
  })
})
