/** Upstreams whose certificate or TLS version is wrong: the next model answers, and no byte of a request is sent. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { addOther } from './failing-models.ts'
import { makeTestCertificate, type TestCertificate } from './fake-provider/certificate.ts'
import { hello, startTestService, type TestService } from './test-service.ts'

const dayMs = 24 * 60 * 60 * 1000

interface SilentServer {
  url: string
  connections: number
  /** Decrypted bytes that arrived. */
  bytes: number
}

async function startServer(options: TlsOptions): Promise<SilentServer> {
  const state: SilentServer = { url: '', connections: 0, bytes: 0 }
  const server = createServer(options, (socket) => {
    socket.on('data', (piece) => void (state.bytes += piece.length)).on('error', () => {})
  })
  server.on('connection', () => void (state.connections += 1))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A listening TCP server's address is an AddressInfo.
  state.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return state
}

/** A router whose first model is at `url`, and whose second one answers. */
async function startWith(url: string, certificate: TestCertificate | null): Promise<TestService> {
  const extraCa = certificate === null ? [] : [certificate.ca]
  const started = await startTestService({ service: { extraCa } })
  const { dashboard } = started.service
  await dashboard.addProvider({
    id: 'bad',
    type: 'openai-compatible',
    baseUrl: url,
    apiKey: 'sk-test-key-0123456789',
  })
  await dashboard.saveModel({
    id: 'bad:model',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 100_000,
  })
  await addOther(started, { works: {} }, ['bad:model'])
  return started
}

const certificateProblem = 'its certificate is not trusted'

test.each<
  [
    string,
    () => Promise<{ certificate: TestCertificate; isTrusted: boolean; tls?: TlsOptions }>,
    string,
  ]
>([
  [
    'has expired',
    async () => ({
      certificate: await makeTestCertificate({ notAfterMs: Date.now() - dayMs }),
      isTrusted: true,
    }),
    certificateProblem,
  ],
  [
    'is for another host',
    async () => ({
      certificate: await makeTestCertificate({ host: 'other.example' }),
      isTrusted: true,
    }),
    certificateProblem,
  ],
  [
    'comes from an unknown authority',
    async () => ({ certificate: await makeTestCertificate(), isTrusted: false }),
    certificateProblem,
  ],
  [
    'is used with TLS 1.1',
    async () => ({
      certificate: await makeTestCertificate(),
      isTrusted: true,
      tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    }),
    'the connection broke',
  ],
])('an upstream whose certificate %s gets no request', async (_what, make, message) => {
  const { certificate, isTrusted, tls } = await make()
  const server = await startServer({ cert: certificate.cert, key: certificate.key, ...tls })
  const { post, ledger, service } = await startWith(server.url, isTrusted ? certificate : null)

  for (const stream of [false, true]) {
    const answer = await post('chat/completions', { ...hello, stream })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('"model":"other:works"')
  }

  expect(server.connections).toBe(2)
  expect(server.bytes).toBe(0)
  const [row] = await ledger(2)
  const explained = await service.usage.explain(row?.id ?? '')
  expect(explained?.detail?.attempts[0]).toMatchObject({
    model: 'bad:model',
    message,
  })
})

test('an upstream whose name does not resolve is replaced by the next model', async () => {
  const { post } = await startWith('https://nowhere.invalid/v1', null)

  const answer = await post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ model: 'other:works' })
})
