/** The adapter against real servers that answer well, badly and endlessly. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openAiChat } from './openai-chat.ts'
import { Outbound } from '../../providers/outbound.ts'
import type { Provider, ProviderChunk } from '../../providers/provider.ts'

interface Upstream {
  provider: Provider
  server: Server
  /** Connections opened so far. */
  connections: Socket[]
}

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})
const connector = (connectMs: number) =>
  outbound.connector({ id: 'providers', privateNetwork: false, connectMs })

async function startUpstream(answer: RequestListener): Promise<Upstream> {
  const connections: Socket[] = []
  const server = createServer(answer)
  server.on('connection', (socket) => connections.push(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const provider = openAiChat.create({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: async () => 'sk-secret-key',
    privateNetwork: false,
    now: Date.now,
    options: {},
    connector,
  })
  onTestFinished(async () => {
    await provider.close()
    server.close().closeAllConnections()
  })
  return { provider, server, connections }
}

const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }

async function collect(
  { provider }: Upstream,
  { signal = new AbortController().signal } = {},
): Promise<ProviderChunk[]> {
  const chunks: ProviderChunk[] = []
  for await (const chunk of provider.stream({ model: 'm', body }, signal)) chunks.push(chunk)
  return chunks
}

function whole({ provider }: Upstream): Promise<ProviderChunk> {
  return provider.complete({ model: 'm', body }, new AbortController().signal)
}

/** The number of pieces they arrived in does not matter. */
async function piecesOf(upstream: Upstream): Promise<ProviderChunk['choices']> {
  return (await collect(upstream)).flatMap(({ choices }) => choices)
}

const delta = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' } }] })
const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const eventStream = { 'content-type': 'text/event-stream' }

test('streams one after another share a connection', async () => {
  const upstream = await startUpstream((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, eventStream)
      response.write(`data: ${delta}\n\ndata: ${finish}\n\ndata: [DONE]\n\n`)
      // Most servers end the body a moment after its last event.
      setTimeout(() => response.end(), 5)
    })
  })

  for (let count = 0; count < 10; count += 1) {
    expect(await piecesOf(upstream)).toHaveLength(2)
    await sleep(50)
    // A timer that is late runs before the sockets are read.
    await nextIteration()
    await nextIteration()
  }

  // One connection, except on a busy computer, where a body's end may arrive after the next request.
  expect(upstream.connections.length).toBeLessThan(5)
})

test('an answer is complete at [DONE], even if the server keeps the connection open', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, eventStream)
    response.write(`data: ${delta}\n\ndata: ${finish}\n\ndata: [DONE]\n\n`)
  })

  expect(await piecesOf(upstream)).toHaveLength(2)
  await expect.poll(() => upstream.connections[0]?.destroyed).toBe(true)
})

test('a consumer that stops closes the upstream', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, eventStream)
    response.write(`data: ${delta}\n\n`)
  })

  const chunks = upstream.provider.stream({ model: 'm', body }, new AbortController().signal)
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.(undefined)

  await expect.poll(() => upstream.connections[0]?.destroyed).toBe(true)
})

test('an abort closes the upstream and throws the signal’s reason', async () => {
  const controller = new AbortController()
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, eventStream)
    response.write(`data: ${delta}\n\n`)
    setTimeout(() => controller.abort(new Error('gone')), 20)
  })

  await expect(collect(upstream, { signal: controller.signal })).rejects.toThrow('gone')
  await expect.poll(() => upstream.connections[0]?.destroyed).toBe(true)
})

test('only the beginning of an endless error page is read', async () => {
  let sentBytes = 0
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(500, { 'content-type': 'text/html' })
    const piece = Buffer.alloc(64 * 1024, 'x')
    const send = () => {
      while (!response.destroyed && sentBytes < 1 << 30) {
        sentBytes += piece.length
        if (!response.write(piece)) return void response.once('drain', send)
      }
    }
    send()
  })

  await expect(collect(upstream)).rejects.toMatchObject({ kind: 'unavailable', status: 500 })
  expect(sentBytes).toBeLessThan(20 << 20)
})

test('an error page that never ends does not delay the next candidate', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(503).write('Sorry')
  })

  await expect(collect(upstream)).rejects.toMatchObject({ kind: 'unavailable', status: 503 })
})

test('usage of an unknown form is treated as not reported', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
        usage: { completion_tokens: 3, total_tokens: null },
      }),
    )
  })

  expect(await whole(upstream)).toEqual({
    choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }],
    usage: null,
  })
})

test('a stream that answers a request for an answer in one piece is one chunk', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, eventStream)
    response.end(`data: ${delta}\n\ndata: ${delta}\n\ndata: [DONE]\n\n`)
  })

  const { choices } = await whole(upstream)

  expect(choices).toHaveLength(2)
})

test('a failure in the middle of a whole answer is reported as in a stream', async () => {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"choices":', () => response.destroy())
  })

  await expect(whole(upstream)).rejects.toMatchObject({ kind: 'network' })
})

test.each([
  'http://169.254.169.254/v1',
  'http://[::ffff:169.254.169.254]/v1',
  'http://10.0.0.1/v1',
])('never connects to %s', async (baseUrl) => {
  const options = {
    apiKey: async () => null,
    privateNetwork: false,
    options: {},
    now: Date.now,
    connector,
  }
  const provider = openAiChat.create({ baseUrl, ...options })

  const models = provider.listModels(AbortSignal.timeout(30_000))

  await expect(models).rejects.toMatchObject({ kind: 'network' })
  await expect(models).rejects.toThrow('private or reserved network')
})

test('a redirect is not followed: the key belongs to this address', async () => {
  let requests = 0
  const upstream = await startUpstream((_request, response) => {
    requests += 1
    response.writeHead(307, { location: '/elsewhere' }).end()
  })

  await expect(collect(upstream)).rejects.toMatchObject({ kind: 'invalid_response', status: 307 })
  expect(requests).toBe(1)
})

test('models are listed where the vendor lists them, and only those of this API', async () => {
  const asked: (string | undefined)[] = []
  const upstream = await startUpstream((request, response) => {
    asked.push(request.url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify([{ id: 'acme/b' }, { id: 'acme/a' }, { id: 'other/c' }]))
  })
  const { port } = upstream.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const provider = openAiChat.create({
    baseUrl: `${baseUrl}/inference`,
    modelList: { baseUrl, path: '/catalog/models', prefix: 'acme/' },
    apiKey: () => 'k',
    privateNetwork: false,
    options: {},
    now: Date.now,
    connector,
  })
  onTestFinished(() => provider.close())

  expect(await provider.listModels(AbortSignal.timeout(30_000))).toEqual(['a', 'b'])
  expect(asked).toEqual(['/catalog/models'])
})
