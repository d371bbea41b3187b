/** The fields of a body: which are accepted, refused or forwarded to the model. */
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf } from '../error-of.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
})

describe('the body', () => {
  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['gzip', { 'content-encoding': 'gzip' }],
  ])('as %s is 415', async (_name, headers: Record<string, string>) => {
    const answer = await running.post('chat/completions', hello, { headers })

    expect(await errorOf(answer)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('above the limit is 413', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(33 << 20) }] })

    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({ status: 413, code: 'body_too_large' })
  })

  test.each([
    ['', null],
    ['{"messages":', null],
    ['{"__proto__":{"x":1},"messages":[]}', null],
  ])('%j is 400 invalid_json', async (body, param) => {
    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_json', param })
  })

  test.each(['tools', 'logit_bias'])('with endlessly nested %s is 400', async (field) => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const body = `{"messages":[{"role":"user","content":"hi"}],"${field}":[{"type":"function","x":${nested}}]}`

    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })

  test.each([
    [
      'members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [n, n]))),
    ],
    ['items', JSON.stringify(Array.from({ length: 60_000 }, () => 1))],
  ])('with too many %s is 400 and goes to no model', async (_what, crowd) => {
    const before = running.fake.requestCount()
    const body = `{"messages":[{"role":"user","content":"hi"}],"metadata":{"x":${crowd}}}`

    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      message: expect.stringContaining('more than 50000 values') as string,
    })
    expect(running.fake.requestCount()).toBe(before)
  })

  test('without messages is 400 missing_required_parameter', async () => {
    const answer = await running.post('chat/completions', {})

    expect(await errorOf(answer)).toMatchObject({
      status: 400,
      code: 'missing_required_parameter',
      param: 'messages',
    })
  })

  test.each([
    ['messages', { messages: 'hi' }],
    ['messages[0].role', { messages: [{ role: 3, content: 'hi' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 3 }] }],
    ['temperature', { ...hello, temperature: 2.1 }],
    ['temperature', { ...hello, temperature: '1' }],
    ['max_tokens', { ...hello, max_tokens: 0 }],
    ['max_completion_tokens', { ...hello, max_completion_tokens: 1.5 }],
    ['stream', { ...hello, stream: 'yes' }],
    ['tools', { ...hello, tools: {} }],
    ['api_base', { ...hello, api_base: 'https://evil.example' }],
    ['provider', { ...hello, provider: {} }],
    ['models', { ...hello, models: ['x'] }],
  ])('with an invalid %s is a 400 that names it', async (param, body) => {
    const before = running.fake.requestCount()
    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(running.fake.requestCount()).toBe(before)
  })

  test('accepts content as parts, as null beside tool calls, and every role', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
    const answer = await running.post('chat/completions', {
      messages: [
        { role: 'system', content: 'a' },
        { role: 'developer', content: 'b' },
        { role: 'user', content: [{ type: 'text', text: 'c' }, image] },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '1' },
      ],
    })

    expect(answer.status).toBe(200)
    const { body } = running.fake.requests.at(-1) ?? {}
    expect(body).toMatchObject({
      messages: [{}, {}, { content: [{}, image] }, { content: null }, {}],
    })
  })

  test('is forwarded with unknown fields, without store and service_tier', async () => {
    await running.post('chat/completions', {
      ...hello,
      store: true,
      service_tier: 'priority',
      logit_bias: { 1: 2 },
    })

    const { body } = running.fake.requests.at(-1) ?? {}
    expect(body).toMatchObject({ model: 'fake-model', logit_bias: { 1: 2 }, stream: false })
    expect(Object.keys(body ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(store|service_tier)$/)]),
    )
  })
})
