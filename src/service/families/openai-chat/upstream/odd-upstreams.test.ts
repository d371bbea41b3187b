/** The adapter against servers that send unusual HTTP, or something that is not HTTP. */
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startRawUpstream, type RawRequest } from '../../../../../test/providers/raw-upstream.ts'
import { contentText } from '../../../../shared/chat/chat.ts'
import { openAiChat } from '../openai-chat.ts'
import { Outbound } from '../../../providers/outbound.ts'
import { ProviderError, type Provider } from '../../../providers/provider.ts'

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})

function providerAt(origin: string, key = 'sk-secret-key'): Provider {
  const provider = openAiChat.create({
    baseUrl: `${origin}/v1`,
    apiKey: () => key,
    privateNetwork: false,
    now: Date.now,
    options: {},
    connector: (connectMs) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
  })
  onTestFinished(() => provider.close())
  return provider
}

const question = { model: 'm', body: { messages: [{ role: 'user' as const, content: 'Hello' }] } }
const { signal } = new AbortController()

/** The text of a stream, or its error. */
async function streamed(provider: Provider): Promise<string | ProviderError> {
  let said = ''
  try {
    for await (const { choices } of provider.stream(question, signal)) {
      for (const { delta } of choices) said += contentText(delta.content)
    }
    return said
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
}

const event = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const events = `${event('Hel')}${event('lo')}data: [DONE]\n\n`
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

test.each([
  [
    'sends early hints first',
    `HTTP/1.1 103 Early Hints\r\n\r\n${head}content-length: ${events.length}\r\n\r\n${events}`,
  ],
  [
    'hints first',
    `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head}content-length: ${events.length}\r\n\r\n${events}`,
  ],
  [
    'sends a chunk for each byte',
    `${head}transfer-encoding: chunked\r\n\r\n${Array.from(events, chunkOf).join('')}0\r\n\r\n`,
  ],
  ['ends a stream with its connection', `${head}\r\n${events}`],
  ['speaks HTTP/1.0', `${head.replace('1.1', '1.0')}\r\n${events}`],
])('the adapter reads the answer of a server that %s', async (_name, bytes) => {
  const upstream = await startRawUpstream(({ socket }) => socket.end(bytes))

  expect(await streamed(providerAt(upstream.origin))).toBe('Hello')
})

test('a stream that does not end after its last event is closed after a second', async () => {
  const closed = vi.fn<() => void>()
  const upstream = await startRawUpstream(({ socket }) => {
    socket.on('close', closed).write(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf(events)}`)
  })

  expect(await streamed(providerAt(upstream.origin))).toBe('Hello')
  expect(closed).not.toHaveBeenCalled()
  await expect.poll(() => closed).toHaveBeenCalled()
})

const zipped = gzipSync(events)

test.each<[string, (request: RawRequest) => unknown, string]>([
  [
    'compresses without being asked',
    ({ socket }) => {
      socket.write(
        `${head.replace('text/event-stream', 'application/json')}content-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`,
      )
      return socket.write(zipped)
    },
    'invalid_response',
  ],
  [
    'sends elsewhere',
    ({ socket, nth }) =>
      socket.write(`HTTP/1.1 302 x\r\nlocation: /${nth}\r\ncontent-length: 0\r\n\r\n`),
    'invalid_response',
  ],
  ['speaks another protocol', ({ socket }) => socket.write('220 smtp\r\n\r\n'), 'invalid_response'],
  ['closes the connection without an answer', ({ socket }) => socket.end(), 'network'],
  [
    'breaks off within a chunk',
    ({ socket }) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nffff\r\nhalf`),
    'network',
  ],
])('a server that %s causes a provider error', async (_name, answer, kind) => {
  const upstream = await startRawUpstream(answer)

  expect(await streamed(providerAt(upstream.origin))).toMatchObject({ name: 'ProviderError', kind })
  expect(upstream.requests).toHaveLength(1)
})

test('a key with a line break is a provider error that does not contain the key', async () => {
  const upstream = await startRawUpstream(() => {})

  const error = await streamed(providerAt(upstream.origin, 'sk-secret\r\nhost: evil'))

  expect(error).toMatchObject({
    name: 'ProviderError',
    kind: 'unavailable',
    message: 'the header authorization holds characters that cannot be sent',
  })
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    expect(each.message).not.toContain('secret')
  }
  expect(upstream.sockets).toEqual([])
})

test('a port without a server is an error with the system’s code', async () => {
  const error = await streamed(providerAt('http://127.0.0.1:9'))

  expect(error).toMatchObject({ kind: 'network', message: 'nothing answers at the address' })
  expect(error).toHaveProperty('cause.code', 'ECONNREFUSED')
})

test('an upstream with an IPv6 address is reached', async () => {
  const upstream = await startRawUpstream(
    ({ socket }) => socket.end(`${head}content-length: ${events.length}\r\n\r\n${events}`),
    { host: '::1' },
  )

  expect(await streamed(providerAt(upstream.origin))).toBe('Hello')
})
