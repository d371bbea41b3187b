/** Settings that apply from the next request on, without a restart. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const large = { messages, metadata: { note: 'x'.repeat(1.5 * 1024 * 1024) } }

/** A body without a length, so its bytes are counted as they arrive. */
async function* inPieces(body: unknown): AsyncGenerator<Uint8Array> {
  yield* [Buffer.from(JSON.stringify(body))]
}

test.each([
  ['with its length', () => JSON.stringify(large)],
  ['in pieces', () => inPieces(large)],
])(
  'a smaller body limit refuses the next body %s, and a larger one accepts it',
  async (_, body) => {
    const { service, post, get } = await startTestService()
    const send = () =>
      get('chat/completions', {
        method: 'POST',
        body: body(),
        duplex: 'half',
        headers: { 'content-type': 'application/json' },
      })

    await service.dashboard.setSetting('bodyLimitMib', 1)
    const refused = await send()
    const small = await post('chat/completions', { messages })
    await service.dashboard.setSetting('bodyLimitMib', 2)
    const served = await send()

    expect(await refused.json()).toMatchObject({ error: { code: 'body_too_large' } })
    expect([refused.status, small.status, served.status]).toEqual([413, 200, 200])
  },
)

/** The names in the certificate that a client with this server name gets. */
async function namesShownTo(servername: string, { origin }: TestService): Promise<string> {
  // The issuer does not matter here.
  const socket = connect({
    port: Number(new URL(origin).port),
    servername,
    rejectUnauthorized: false,
  })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return new X509Certificate(raw).subjectAltName ?? ''
}

async function statusAs(host: string, { origin, service }: TestService): Promise<number> {
  const { port } = new URL(origin)
  const endpoint = service.endpoint()
  const ca = endpoint.status === 'listening' ? readFileSync(endpoint.caFile) : ''
  const asked = request({
    host: 'localhost',
    port,
    path: '/healthz',
    ca,
    servername: host,
    headers: { host: `${host}:${port}` },
    agent: false,
  })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

test('an added host name works at once, with a certificate for it', async () => {
  const running = await startTestService()
  const host = 'host.docker.internal'
  const before = await statusAs('localhost', running)

  await running.service.dashboard.setSetting('allowedHosts', [host])
  await expect.poll(() => namesShownTo(host, running)).toContain(host)
  const added = await statusAs(host, running)
  await running.service.dashboard.setSetting('allowedHosts', [])
  await expect.poll(() => namesShownTo(host, running)).not.toContain(host)

  expect([before, added]).toEqual([204, 204])
  expect(await statusAs('localhost', running)).toBe(204)
})
