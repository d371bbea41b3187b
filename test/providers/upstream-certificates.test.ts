/** Upstreams that no safe connection opens to: the next model answers, and no byte of a request is sent. */
import { once } from 'node:events'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { addOther } from '../attempts/failing-models.ts'
import { makeTestCertificate, type TestCertificate } from '../fake-provider/certificate.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

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
    'is signed by itself',
    async () => ({
      certificate: await makeTestCertificate({ isSelfSigned: true }),
      isTrusted: true,
    }),
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
  expect(explained?.detail.attempts[0]).toMatchObject({
    model: 'bad:model',
    message,
  })
})

/** Counts connections to a TCP server that speaks no TLS. */
async function startTcpServer(answer: (socket: Socket) => void): Promise<SilentServer> {
  const state: SilentServer = { url: '', connections: 0, bytes: 0 }
  const server = createTcpServer((socket) => {
    state.connections += 1
    socket.on('error', () => {}).once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  state.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return state
}

/** A port whose queue of connections is full: the system drops further attempts without an answer. */
async function startBlackHole(): Promise<{ url: string; connectMs: number }> {
  const code = `
    const { createServer, connect } = require('node:net')
    const { parentPort } = require('node:worker_threads')
    const server = createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 0 }, () => {
      parentPort.postMessage(server.address().port)
      // It accepts nothing from now on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const worker = new Worker(code, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(worker, 'message')) as [number]
  for (let filling = 0; filling < 4; filling += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
  }
  // The limit is also that of the next model, which a busy machine must not exceed.
  return { url: `https://127.0.0.1:${port}/v1`, connectMs: 2_000 }
}

test.each<
  [
    string,
    () => Promise<{ url: string; connections?: number; connectMs?: number }>,
    number | undefined,
    string,
  ]
>([
  [
    'resets the connection within the handshake',
    () => startTcpServer((socket) => socket.resetAndDestroy()),
    2,
    'the connection broke',
  ],
  [
    'closes the connection within the handshake',
    () => startTcpServer((socket) => void socket.end()),
    2,
    'the connection broke',
  ],
  [
    'answers the handshake in plain HTTP',
    () => startTcpServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    2,
    'the connection broke',
  ],
  [
    'has closed its port',
    async () => ({ url: 'https://127.0.0.1:9/v1' }),
    undefined,
    'nothing answers at the address',
  ],
  ['never accepts a connection', startBlackHole, undefined, 'the provider did not answer in time'],
  [
    'has a name that does not resolve',
    async () => ({ url: 'https://nowhere.invalid/v1' }),
    undefined,
    'the address could not be found',
  ],
])(
  'an upstream that %s is replaced by the next model',
  async (_what, start, connections, message) => {
    const server = await start()
    const { post, ledger, service, routerId } = await startWith(server.url, null)
    await service.dashboard.updateRouter(routerId, {
      name: 'Two',
      strategy: 'priority',
      models: ['bad:model', 'other:works'],
      timeLimits: server.connectMs === undefined ? {} : { connectMs: server.connectMs },
    })

    for (const stream of [false, true]) {
      const answer = await post('chat/completions', { ...hello, stream })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('"model":"other:works"')
    }

    expect(server.connections).toBe(connections)
    const [row] = await ledger(2)
    const explained = await service.usage.explain(row?.id ?? '')
    expect(explained?.detail.attempts).toMatchObject([{ model: 'bad:model', message }, {}])
  },
)
