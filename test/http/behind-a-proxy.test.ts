/** Requests that come through a proxy. Linux answers on all of 127.0.0.0/8, so 127.0.0.9 is another computer here. */
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
let port = 0

const atEnd = endOfGroup()
beforeAll(async () => {
  const network = { httpBind: '0.0.0.0', trustedProxies: ['127.0.0.0/29'] }
  const service = { httpPort: 0, hosts: ['models.example.com', 'fd00::7'], network }
  running = await startTestService({ service }, atEnd)
  const endpoint = running.service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  port = Number(new URL(endpoint.httpUrl ?? '').port)
})

/** @returns the status with the error's code, for a request from this address */
async function send(localAddress: string, options: RequestOptions = {}): Promise<string> {
  const sent = request({ host: '127.0.0.1', port, localAddress, ...options })
  sent.end(options.method === 'POST' ? JSON.stringify(hello) : undefined)
  // Checked: a response event has the message.
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const [, code = ''] = /"code":"(\w+)"/.exec(await text(response)) ?? []
  return `${response.statusCode} ${code}`.trim()
}

function chat(headers: Record<string, string>): RequestOptions {
  return {
    method: 'POST',
    path: new URL(`${running.routerUrl}/chat/completions`).pathname,
    headers: {
      host: 'models.example.com',
      authorization: `Bearer ${running.apiKey}`,
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'content-length': Buffer.byteLength(JSON.stringify(hello)),
      ...headers,
    },
  }
}

describe.runIf(process.platform === 'linux')('plain HTTP', () => {
  test.each([
    ['a host without our port, which only the proxy listens to', {}, '200'],
    ['no word about TLS', { 'x-forwarded-proto': '' }, '426 https_required'],
    [
      'a host that the proxy replaced',
      { host: 'node-1', 'x-forwarded-host': 'models.example.com' },
      '200',
    ],
    [
      'a request that the proxy received without TLS',
      { 'x-forwarded-proto': 'http' },
      '426 https_required',
    ],
    [
      'a claim of TLS before the proxy’s own word',
      { 'x-forwarded-proto': 'https, http' },
      '426 https_required',
    ],
    ['the node’s own IPv6 address', { host: '[fd00::7]:6779' }, '200'],
    ['a foreign host', { host: 'evil.example' }, '421 host_not_allowed'],
    [
      'two forwarded hosts',
      { 'x-forwarded-host': 'models.example.com, evil.example' },
      '421 host_not_allowed',
    ],
  ])('from a named proxy with %s  (%o) is answered with %s', async (_name, headers, answer) => {
    expect(await send('127.0.0.2', chat(headers))).toBe(answer)
  })

  test('X-Forwarded headers of an unnamed address are ignored', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'models.example.com' }

    expect(await send('127.0.0.9', chat(headers))).toBe('421 host_not_allowed')
    const own = chat({ host: `localhost:${port}`, 'x-forwarded-proto': 'http' })
    expect(await send('127.0.0.9', own)).toBe('200')
  })
})
