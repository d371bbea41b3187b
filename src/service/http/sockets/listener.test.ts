/** The endpoint's sockets, with clients that behave like no HTTP library. */
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answerParserError } from '../refusals/errors.ts'
import { ConnectionLimit } from './connection-limit.ts'
import { listen } from './listener.ts'

const tlsHandshake = Buffer.from([0x16, 0x03, 0x01])

/** A listener in front of a server that collects its connections and never answers. */
async function startListener(limit = 100) {
  const handedOver: Socket[] = []
  const server = createHttpServer().removeAllListeners('connection')
  server.on('connection', (socket: Socket) => handedOver.push(socket))
  const onError = vi.fn<(error: unknown) => void>()
  const listener = await listen(server, {
    port: 0,
    bind: null,
    tlsOnly: { newRequestId: () => 'request-1', onPlainHttp: () => {} },
    connections: new ConnectionLimit(limit),
    onError,
  })
  onTestFinished(() => {
    listener.close()
    for (const socket of handedOver) socket.destroy()
  })
  return { listener, handedOver, port: listener.port }
}

async function dial(port: number): Promise<Socket> {
  // Neither end closes automatically, so the test decides when.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await new Promise((resolve) => {
    socket.once('connect', resolve)
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The TCP sockets of this process, on either end. */
function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

const request = 'POST / HTTP/1.1\r\nauthorization: Bearer mp_x\r\n\r\n'

test('answers a plain HTTP request with 426 and disconnects', async () => {
  const { port, handedOver } = await startListener()
  const socket = await dial(port)

  socket.write(request)

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 426 [^]*x-request-id: request-1\r\n/)
  expect(handedOver).toEqual([])
  socket.end()
  await expect.poll(() => countSockets()).toBe(0)
})

test('disconnects a plain HTTP client that continues to send after its answer', async () => {
  const { port } = await startListener()
  const socket = await dial(port)

  socket.write(request)
  socket.once('data', () => socket.end('x'.repeat(500_000)))
  socket.resume()

  await expect.poll(() => countSockets()).toBe(0)
})

test('disconnects a plain HTTP client that never closes its connection', async () => {
  const { port } = await startListener()
  const socket = await dial(port)

  socket.write(request)
  socket.resume()
  await new Promise((resolve) => {
    socket.once('end', resolve)
  })

  // Only the client's end remains.
  await expect.poll(() => countSockets()).toBe(1)
})

test('hands over every byte of a TLS client whose first byte arrives alone', async () => {
  const { port, handedOver } = await startListener()
  const socket = await dial(port)

  socket.write(tlsHandshake.subarray(0, 1))
  await expect.poll(() => handedOver).toHaveLength(1)
  socket.end(tlsHandshake.subarray(1))

  const pieces: Buffer[] = []
  for await (const piece of handedOver[0] ?? []) pieces.push(piece as Buffer)
  expect(Buffer.concat(pieces)).toEqual(tlsHandshake)
})

test.each([
  ['resets before its first byte', (socket: Socket) => socket.resetAndDestroy()],
  ['disconnects before its first byte', (socket: Socket) => socket.end()],
  [
    'resets after a plain request',
    (socket: Socket) => void socket.write(request, () => socket.resetAndDestroy()),
  ],
])('survives a client that %s', async (_what, act) => {
  const { port } = await startListener()
  const socket = await dial(port)

  act(socket)

  await expect.poll(() => countSockets()).toBe(0)
})

test('disconnects clients that have sent nothing when it closes', async () => {
  const { port, listener } = await startListener()
  const socket = await dial(port)
  socket.resume()
  // A client is connected before the listener has accepted it.
  await expect.poll(() => countSockets()).toBe(2)

  listener.close()

  await expect.poll(() => socket.readableEnded).toBe(true)
})

test('binds the same port on both loopback addresses, and fails when one is in use', async () => {
  const { port } = await startListener()

  const second = listen(createHttpServer(), {
    port,
    bind: null,
    tlsOnly: null,
    connections: new ConnectionLimit(1),
    onError: () => {},
  })

  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

/** A server socket and its client, because the HTTP parser's errors come with a socket. */
async function connectPair(): Promise<{ ours: Socket; client: Socket }> {
  const server = createNetServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  const accepted = new Promise<Socket>((resolve) => {
    server.once('connection', resolve)
  })
  const client = await dial((server.address() as AddressInfo).port)
  return { ours: await accepted, client }
}

test('input that is not HTTP gets an error, and its client is disconnected', async () => {
  const { ours, client } = await connectPair()

  answerParserError(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), ours, 'the-id')

  expect(await text(client)).toMatch(/^HTTP\/1\.1 400 .*\r\nx-request-id: the-id\r\n/s)
  await expect.poll(() => ours.destroyed).toBe(true)
})

test('a request that does not arrive in time gets a 408', async () => {
  const { ours, client } = await connectPair()

  answerParserError(
    Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    ours,
    'the-id',
  )

  const answer = await text(client)
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toMatch(/"type":"invalid_request_error".*"code":"request_timeout"/)
})

test('a second parser error of the same socket does not cut its answer short', async () => {
  const { ours, client } = await connectPair()
  const overflow = Object.assign(new Error(), { code: 'HPE_HEADER_OVERFLOW' })

  answerParserError(overflow, ours, 'the-id')
  answerParserError(overflow, ours, 'the-id')

  expect(await text(client)).toContain('headers_too_large')
})

test.each(['ERR_TLS_HANDSHAKE_TIMEOUT', 'ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
  'a socket that failed with %s is closed, because no error can be sent on it',
  async (code) => {
    const { ours } = await connectPair()

    answerParserError(Object.assign(new Error(), { code }), ours, 'the-id')

    expect(ours.destroyed).toBe(true)
  },
)

test('closes connections far above the limit at once, until others end', async () => {
  const { port, handedOver } = await startListener(-255)
  const first = await dial(port)
  first.write(tlsHandshake)
  await expect.poll(() => handedOver).toHaveLength(1)
  const closed = vi.fn<() => void>()

  const second = await dial(port)
  second
    .resume()
    .once('close', closed)
    .once('end', () => second.destroy())
  await expect.poll(() => closed).toHaveBeenCalledOnce()
  const ended = vi.fn<() => void>()
  handedOver[0]?.once('close', ended).destroy()
  await expect.poll(() => ended).toHaveBeenCalledOnce()
  const third = await dial(port)
  third.write(tlsHandshake)

  await expect.poll(() => handedOver).toHaveLength(2)
})
