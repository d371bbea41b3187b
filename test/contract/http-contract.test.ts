/** The checks before the key, and the one form of every error (contract sections 1, 3, 5, 7). */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf } from '../error-of.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
})

/** Raw bytes, for requests that no HTTP client would send. */
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

const anyId = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
)

describe('every answer', () => {
  test('has a UUIDv7 as x-request-id, also a refusal', async () => {
    const good = await running.post('chat/completions', hello)
    const bad = await running.post('chat/completions', {})

    expect(good.headers.get('x-request-id')).toEqual(anyId)
    expect(bad.headers.get('x-request-id')).toEqual(anyId)
    expect(await good.json()).toMatchObject({ id: `chatcmpl-${good.headers.get('x-request-id')}` })
  })

  test('has the remaining requests of the day in both header families', async () => {
    const { headers } = await running.post('chat/completions', hello)

    expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
    const remaining = headers.get('x-ratelimit-remaining-requests')
    expect(Number(remaining)).toBeLessThan(10_000)
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^(\d+h)?(\d+m)?\d+s$/)
    expect(headers.get('ratelimit-policy')).toBe('"router-day";q=10000;w=86400')
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"router-day";r=${remaining};t=\\d+$`))
  })

  test('to a refused request has no-store and the four error fields', async () => {
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

  test('needs a key, except for /healthz and /readyz', async () => {
    const docs = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
    const documented = [...docs.matchAll(/^\| `(GET|POST)` +\| `(\S+)` /gm)]
    const answers = await Promise.all(
      documented.map(async ([, method = '', address = '']) => {
        const path = address.replace('{router_id}', running.routerId).replace(/{.*}/, 'a:b')
        const body = method === 'POST' ? { body: JSON.stringify(hello) } : {}
        const headers = { authorization: '', 'content-type': 'application/json' }
        const { status } = await running.get(path, { method, headers, ...body })
        return { address, status }
      }),
    )

    const open = answers.filter(({ status }) => status !== 401)
    expect(open).toEqual([
      { address: '/healthz', status: 204 },
      { address: '/readyz', status: 204 },
    ])
    expect(answers.length).toBeGreaterThan(20)
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

  test('can also be served over plain HTTP if the user sets it', async () => {
    const { service, routerId, apiKey } = await startTestService({ service: { httpPort: 0 } })
    const endpoint = service.endpoint()
    const httpUrl = endpoint.status === 'listening' ? endpoint.httpUrl : null

    const answer = await running.post(`${httpUrl}/api/router/${routerId}/chat/completions`, hello, {
      headers: { authorization: `Bearer ${apiKey}` },
    })

    expect(httpUrl).toMatch(/^http:\/\/localhost:\d+$/)
    expect(answer.status).toBe(200)
  })

  test('is a 404 endpoint_not_found if it does not exist', async () => {
    const answer = await running.get('nothing')

    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'endpoint_not_found' })
  })

  test.each([
    ['an invalid escape', '/api/router/%zz/v1/models'],
    ['a name that no router has', `/api/router/${'x'.repeat(600)}/v1/models`],
  ])('with %s is a 404 with a request id, for Modelport’s hosts only', async (_name, target) => {
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
  test('is accepted in any case', async () => {
    const host = new URL(running.origin).host.replace('localhost', 'LocalHost')

    const answer = await sendRaw(request(['GET /healthz HTTP/1.1', `host: ${host}`]))

    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  })

  test.each([
    ['another name', ['GET /healthz HTTP/1.1', 'host: evil.example']],
    ['Modelport’s name with another port', ['GET /healthz HTTP/1.1', 'host: localhost:1']],
    [
      'a name that only starts with Modelport’s',
      ['GET /healthz HTTP/1.1', 'host: localhost.evil.example'],
    ],
    ['none', ['GET /healthz HTTP/1.1']],
  ])('%s is 421', async (_name, lines) => {
    const answer = await sendRaw(request(lines))

    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('"code":"host_not_allowed"')
  })

  test('sent twice is a 421', async () => {
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

  test('that the user allowed is returned, and its preflight is a 204', async () => {
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
