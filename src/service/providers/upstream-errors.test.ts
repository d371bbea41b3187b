/** An upstream's refusals and the network's failures as one kind of error without secrets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConnectionPool } from './http/connection-pool.ts'
import { readError, toProviderError } from './upstream-errors.ts'
import { ProviderError } from './provider.ts'
import { readRefusal } from '../families/openai-chat/refusal.ts'
import { UpstreamAnswer } from './upstream-answer.ts'
import type { WireFormat } from './wire.ts'

const key = 'abc-0123456789'

interface Reply {
  status: number
  body?: string
  headers?: Record<string, string>
}

/** The error that a real answer becomes. */
async function read(
  { status, body = '', headers = {} }: Reply,
  format: Pick<WireFormat, 'readRefusal'> = { readRefusal },
): Promise<ProviderError> {
  const server = createServer((_request, response) => {
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const pool = new ConnectionPool({ origin, connect: buildConnector({}), maxConnections: 1 })
  onTestFinished(() => pool.destroy())
  const request = { path: '/', method: 'GET', headers: {}, body: null } as const
  const answer = await UpstreamAnswer.ask(pool, request, new AbortController().signal)
  return await readError(answer, key, format)
}

function errorBody(error: object): string {
  return JSON.stringify({ error })
}

/** A wire whose bodies name a wait, and whose headers name the error. */
const bodyWait: Pick<WireFormat, 'readRefusal'> = {
  readRefusal: (_status, text, headers) => ({
    kind: 'rate_limit',
    message: headers['x-error'] ?? '',
    upstreamMessage: null,
    retryAfterMs: Number(text),
  }),
}

describe('a refusal that a wire reads', () => {
  test.each([
    ['waits as its body says', {}, 1_500],
    ['waits as its headers say when both name a wait', { 'retry-after': '3' }, 3_000],
  ])('%s', async (_title, headers, waitMs) => {
    const refused = await read({ status: 429, body: '1500', headers }, bodyWait)
    expect(refused.retryAfterMs).toBe(waitMs)
  })

  test.each(['-1', 'soon', 'Infinity'])('has no wait when its body says %s', async (body) => {
    const refused = await read({ status: 429, body }, bodyWait)
    expect(refused.retryAfterMs).toBeNull()
  })

  test('is classified by its headers where the wire names the error there', async () => {
    const refused = await read({ status: 429, headers: { 'x-error': 'Throttled' } }, bodyWait)
    expect(refused.message).toBe('Throttled')
  })
})

describe('an answer', () => {
  test.each([
    [400, {}, 'request', 'the provider refused the request'],
    [400, { message: 'tools: too many' }, 'request', 'the provider refused the request'],
    [413, {}, 'request', 'the provider refused the request'],
    [422, { code: 'bad_seed' }, 'request', 'the provider refused the request (bad_seed)'],
    [401, { message: 'no' }, 'auth', 'the provider rejected the key'],
    [403, {}, 'auth', 'the provider rejected the key'],
    [402, {}, 'credit', 'the account is out of credit'],
    [429, { code: 'insufficient_quota' }, 'credit', 'the account is out of credit'],
    [429, { type: 'billing_hard_limit' }, 'credit', 'the account is out of credit'],
    [400, { code: 'credit_balance_too_low' }, 'credit', 'the account is out of credit'],
    [
      429,
      { code: 'rate_limit_exceeded' },
      'rate_limit',
      'the provider limits the rate of requests',
    ],
    [408, {}, 'timeout', 'the provider did not answer in time'],
    [404, { message: 'no such model' }, 'unavailable', 'the provider answered with status 404'],
    [500, { message: 'stack trace' }, 'unavailable', 'the provider answered with status 500'],
    [529, {}, 'unavailable', 'the provider answered with status 529'],
    [302, {}, 'invalid_response', 'the provider answered with status 302'],
  ])('with status %i and %j is %s: %s', async (status, error, kind, message) => {
    expect(await read({ status, body: errorBody(error) })).toMatchObject({ status, kind, message })
  })

  test.each(['', '<html>Bad gateway</html>', '[]', '"text"', '{"error":7}', '{"detail":1}'])(
    'with the body %j is classified by its status alone',
    async (body) => {
      expect(await read({ status: 400, body })).toMatchObject({
        kind: 'request',
        message: 'the provider refused the request',
      })
    },
  )

  test.each(['<!DOCTYPE html><title>Attention Required! | Cloudflare</title>', 'error code: 1020'])(
    'with status 403 that is no vendor’s says nothing about the key: %s',
    async (body) => {
      expect(await read({ status: 403, body })).toMatchObject({
        kind: 'unavailable',
        message: 'a firewall or proxy in front of the provider refused the request',
      })
    },
  )

  test.each([
    [`Wrong key ${key} given`, 'Wrong key … given'],
    ['Wrong key sk-proj-12345678 given', 'Wrong key … given'],
    ['Bearer mp_QRSTUVWXYZabcdef was sent', 'Bearer … was sent'],
    ['gsk_abcdefgh and pk-abcdefgh', '… and …'],
  ])('that echoes a key is scrubbed: %s', async (message, shown) => {
    const error = await read({ status: 400, body: errorBody({ message }) })

    expect(error.upstreamMessage).toBe(shown)
  })

  test('has a message of at most 300 characters', async () => {
    const error = await read({ status: 400, body: errorBody({ message: 'x'.repeat(5_000) }) })

    expect(error.upstreamMessage).toHaveLength(300)
  })

  test.each<[Record<string, string>, number | null]>([
    [{}, null],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
    [{ 'retry-after': '99999999' }, 3_600_000],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [
      { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
      30_000,
    ],
    [{ 'retry-after-ms': '99999999999' }, 3_600_000],
  ])('with %j sets a retry delay of %j ms', async (headers, retryAfterMs) => {
    expect(await read({ status: 429, headers })).toMatchObject({ retryAfterMs })
  })
})

describe('a connection failure', () => {
  const signal = new AbortController().signal
  const coded = (code: string) => Object.assign(new Error('sk-secret in a text'), { code })

  test.each([
    ['ECONNREFUSED', 'network', 'nothing answers at the address'],
    ['ENOTFOUND', 'network', 'the address could not be found'],
    ['EAI_AGAIN', 'network', 'the address could not be found'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'the provider did not answer in time'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'the provider did not answer in time'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'the provider did not answer in time'],
    ['ETIMEDOUT', 'timeout', 'the provider did not answer in time'],
    ['ECONNRESET', 'network', 'the connection broke'],
    ['UND_ERR_SOCKET', 'network', 'the connection broke'],
    ['CERT_HAS_EXPIRED', 'network', 'its certificate is not trusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', 'its certificate is not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'network', 'its certificate is not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'network', 'its certificate is not trusted'],
  ])('with %s is %s: %s', (code, kind, message) => {
    const error = coded(code)

    expect(toProviderError(error, signal)).toMatchObject({ kind, message, cause: error })
  })

  test('without a code is classified by its cause', () => {
    const error = new Error('fetch failed', { cause: coded('ECONNREFUSED') })

    expect(toProviderError(error, signal)).toMatchObject({
      message: 'nothing answers at the address',
    })
  })

  test('to parse the answer is an invalid response', () => {
    const error = new SyntaxError('Unexpected token: "my prompt"')

    expect(toProviderError(error, signal)).toMatchObject({
      kind: 'invalid_response',
      message: 'the answer is not valid HTTP or JSON',
    })
  })

  test('that is already a ProviderError stays unchanged', () => {
    const error = new ProviderError('no_key', 'it has no key')

    expect(toProviderError(error, signal)).toBe(error)
  })

  test('that an answer contained does not repeat the key, in whole or in part', () => {
    const upstreamMessage = `${key} begins with ${key.slice(0, 11)}`
    const error = new ProviderError('invalid_response', 'it failed', { upstreamMessage })

    expect(toProviderError(error, signal, { sentKey: key, passedHeaders: null })).toMatchObject({
      kind: 'invalid_response',
      message: 'it failed',
      upstreamMessage: '… begins with …',
    })
  })

  test('after an abort becomes the abort’s reason', () => {
    const reason = new Error('gone')

    expect(toProviderError(coded('ECONNRESET'), AbortSignal.abort(reason))).toBe(reason)
  })
})
