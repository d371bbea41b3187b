/** What is checked, in which order, and the one form every refusal has (contract sections 1, 3, 5, 7). */
import { readFile } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hello, startTestService, type TestService } from './test-service.ts'

let running: TestService
beforeAll(async () => {
  running = await startTestService({}, afterAll)
})

/** Bytes on the wire, for what no HTTP client would send. */
async function sendRaw(bytes: string, isTls = true): Promise<string> {
  const endpoint = running.service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  const port = Number(new URL(endpoint.url).port)
  const socket = isTls
    ? connectTls({ port, host: '127.0.0.1', ca: await readFile(endpoint.caFile) })
    : connectTcp({ port, host: '127.0.0.1' })
  socket.write(bytes)
  return await text(socket)
}

function request(lines: string[], body = ''): string {
  return `${[...lines, 'connection: close', `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`
}

async function errorOf(answer: { status: number; json(): Promise<unknown> }) {
  const { error } = (await answer.json()) as { error: Record<string, unknown> }
  return { status: answer.status, ...error }
}

const anyId = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
)

describe('every answer', () => {
  test('has a UUIDv7 as x-request-id, a refusal too', async () => {
    const good = await running.post('chat/completions', hello)
    const bad = await running.post('chat/completions', {})

    expect(good.headers.get('x-request-id')).toEqual(anyId)
    expect(bad.headers.get('x-request-id')).toEqual(anyId)
    expect(await good.json()).toMatchObject({ id: `chatcmpl-${good.headers.get('x-request-id')}` })
  })

  test('says how much of the day is left, in both header families', async () => {
    const { headers } = await running.post('chat/completions', hello)

    expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
    const remaining = headers.get('x-ratelimit-remaining-requests')
    expect(Number(remaining)).toBeLessThan(10_000)
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^(\d+h)?(\d+m)?\d+s$/)
    expect(headers.get('ratelimit-policy')).toBe('"router-day";q=10000;w=86400')
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"router-day";r=${remaining};t=\\d+$`))
  })

  test('of a refusal is not to be stored and has the four fields', async () => {
    const answer = await running.post('chat/completions', { messages: [] })

    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      error: {
        message: '"messages" must not be empty.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'invalid_parameter',
      },
    })
  })
})

describe('the address', () => {
  test('answers /healthz with 204 and no body, without a key', async () => {
    const answer = await running.get('/healthz', { headers: { authorization: '' } })

    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
  })

  test('is the same on [::1]', async () => {
    const port = new URL(running.origin).port
    const answer = await running.get(`https://[::1]:${port}/healthz`)

    expect(answer.status).toBe(204)
  })

  test('answers plain HTTP with 426 and reads nothing of it', async () => {
    const answer = await sendRaw(`GET / HTTP/1.1\r\nhost: localhost\r\n\r\n`, false)

    expect(answer).toMatch(/^HTTP\/1\.1 426 /)
    expect(answer.toLowerCase()).toContain('\r\nupgrade: tls/1.2\r\n')
    expect(answer).toContain('"code":"https_required"')
  })

  test('may be served on plain HTTP beside, where the user says so', async () => {
    const { service, routerId, apiKey } = await startTestService({ service: { httpPort: 0 } })
    const endpoint = service.endpoint()
    const httpUrl = endpoint.status === 'listening' ? endpoint.httpUrl : null

    const answer = await running.post(`${httpUrl}/api/router/${routerId}/chat/completions`, hello, {
      headers: { authorization: `Bearer ${apiKey}` },
    })

    expect(httpUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect(answer.status).toBe(200)
  })

  test('is 404 endpoint_not_found where nothing is', async () => {
    const answer = await running.get('nothing')

    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'endpoint_not_found' })
  })

  test.each([
    ['an escape that is none', '/api/router/%zz/v1/models'],
    ['a name no router has', `/api/router/${'x'.repeat(600)}/v1/models`],
  ])('with %s is 404 with a request id, for our hosts only', async (_name, target) => {
    const { host } = new URL(running.origin)

    const answer = await sendRaw(request([`GET ${target} HTTP/1.1`, `host: ${host}`]))
    const misdirected = await sendRaw(request([`GET ${target} HTTP/1.1`, 'host: evil.example']))

    expect(answer).toMatch(/^HTTP\/1\.1 404 .*"code":"endpoint_not_found"/s)
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
    expect(misdirected).toMatch(/^HTTP\/1\.1 421 /)
  })

  test.each([
    ['GET', 'chat/completions', 'POST'],
    ['PUT', 'v1/chat/completions', 'POST'],
    ['POST', 'v1/models', 'GET'],
    ['OPTIONS', 'v1/models', 'GET'],
    ['QUERY', 'chat/completions', 'POST'],
  ])('refuses %s on %s with 405, before the key', async (method, path, allow) => {
    const answer = await running.get(path, { method, headers: { authorization: '' } })

    expect(answer.headers.get('allow')).toBe(allow)
    expect(await errorOf(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  })
})

describe('Host', () => {
  test('is ours in whatever case it is written', async () => {
    const host = new URL(running.origin).host.replace('localhost', 'LocalHost')

    const answer = await sendRaw(request(['GET /healthz HTTP/1.1', `host: ${host}`]))

    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  })

  test.each([
    ['another name', ['GET /healthz HTTP/1.1', 'host: evil.example']],
    ['our name on another port', ['GET /healthz HTTP/1.1', 'host: localhost:1']],
    [
      'a name that only begins with ours',
      ['GET /healthz HTTP/1.1', 'host: localhost.evil.example'],
    ],
    ['none', ['GET /healthz HTTP/1.1']],
  ])('%s is 421', async (_name, lines) => {
    const answer = await sendRaw(request(lines))

    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('"code":"host_not_allowed"')
  })

  test('given twice is 421', async () => {
    const { host } = new URL(running.origin)

    const answer = await sendRaw(request(['GET /healthz HTTP/1.1', `host: ${host}`, 'host: evil']))

    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })
})

describe('Origin', () => {
  test('that is not allowed is 403, before the key and without CORS headers', async () => {
    const headers = { origin: 'https://evil.example', authorization: '' }
    const answer = await running.post('chat/completions', hello, { headers })

    expect(await errorOf(answer)).toMatchObject({
      status: 403,
      type: 'authorization_error',
      code: 'origin_not_allowed',
    })
    const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(cors).toEqual([])
  })

  test('that the user allowed gets itself back, and its preflight a 204', async () => {
    const origin = 'app://a-tool'
    const { post, get, service } = await startTestService()
    await service.dashboard.setSetting('allowedOrigins', [origin])

    const answer = await post('chat/completions', hello, { headers: { origin } })
    const preflight = await get('chat/completions', {
      method: 'OPTIONS',
      headers: { origin, authorization: '' },
    })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('vary')).toBe('Origin')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
  })
})

describe('the key', () => {
  const wellFormedButUnknown = 'mp_0000000000000000000000000000002C8GjS'

  test.each([
    ['missing', ''],
    ['without Bearer', wellFormedButUnknown],
    ['malformed', 'Bearer mp_short'],
    ['with a wrong checksum', 'Bearer mp_000000000000000000000000000000000000'],
    ['unknown', `Bearer ${wellFormedButUnknown}`],
  ])('%s is 401, also for a router that does not exist', async (_name, authorization) => {
    const path = `${running.origin}/api/router/router_0000000000000000/chat/completions`
    const answer = await running.post(path, hello, { headers: { authorization } })

    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await errorOf(answer)).toEqual({
      status: 401,
      message: 'The API key is missing or invalid.',
      type: 'authentication_error',
      param: null,
      code: 'invalid_api_key',
    })
  })

  test('revoked is 401 on the very next request', async () => {
    const { post, service } = await startTestService()
    const [key] = await service.dashboard.apiKeys()

    const before = await post('chat/completions', hello)
    await service.dashboard.revokeApiKey(key?.id ?? '')
    const after = await post('chat/completions', hello)

    expect([before.status, after.status]).toEqual([200, 401])
  })

  test('revoked while it is answered has its stream cut within a second', async () => {
    const slow = { text: 'word '.repeat(500), chunks: 500, chunkDelayMs: 20 }
    const { post, service, ledger } = await startTestService({ models: { 'fake-model': slow } })
    const [key] = await service.dashboard.apiKeys()

    const answer = await post('chat/completions', { ...hello, stream: true })
    const revokedAt = performance.now()
    await service.dashboard.revokeApiKey(key?.id ?? '')
    const body = await answer.text()

    expect(performance.now() - revokedAt).toBeLessThan(1_000)
    expect(body).toContain('"code":"invalid_api_key"')
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await ledger(1)).toMatchObject([{ status: 401, errorCode: 'invalid_api_key' }])
  })

  test('that expired is 401', async () => {
    let nowMs = Date.now()
    const { post, service } = await startTestService({ service: { now: () => nowMs } })
    const { key } = await service.dashboard.createApiKey({
      name: 'short',
      routers: 'all',
      expiresAtMs: nowMs + 60_000,
    })
    const headers = { authorization: `Bearer ${key}` }

    const before = await post('chat/completions', hello, { headers })
    nowMs += 61_000
    const after = await post('chat/completions', hello, { headers })

    expect([before.status, after.status]).toEqual([200, 401])
  })
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
    ['messages[0].role', { messages: [{ role: 'robot', content: 'hi' }] }],
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
  ])('with a wrong %s is 400 and names it', async (param, body) => {
    const before = running.fake.requestCount()
    const answer = await running.post('chat/completions', body)

    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(running.fake.requestCount()).toBe(before)
  })

  test('takes content as parts, as null beside tool calls, and every role', async () => {
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

  test('goes on with unknown fields, without store and service_tier', async () => {
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

describe('the HTTP parser', () => {
  test('answers headers that are too large with 431 in the same form', async () => {
    const { host } = new URL(running.origin)
    const lines = ['GET /healthz HTTP/1.1', `host: ${host}`, `x-large: ${'x'.repeat(20_000)}`]

    const answer = await sendRaw(request(lines))

    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('"code":"headers_too_large"')
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
  })

  test('answers what is not HTTP with 400 in the same form', async () => {
    const answer = await sendRaw('this is no request\r\n\r\n')

    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"type":"invalid_request_error"')
  })
})
