/**
 * The fast lane compared with the general way. The same request is sent once as most tools write it, and once with a
 * repeated header, which the fast lane leaves to the general way. Both answers must be equal.
 */
import type { TLSSocket } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { errorReply } from '../fake-provider.ts'
import { dial } from './raw-client.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  const call = { index: 0, id: 'call_1', name: 'look', argumentPieces: ['{"at":', '"it"}'] }
  running = await startTestService(
    {
      models: {
        'fake-model': {},
        umlauts: { text: 'Grüße, 世界 🙂 – "quoted"\n' },
        caller: { toolCalls: [call], finishReason: 'tool_calls' },
        failing: { reply: errorReply(404) },
        refusing: { reply: errorReply(400, { message: 'no such parameter' }) },
        breaking: { fault: { kind: 'reset', afterEvents: 2 } },
        slow: { firstByteDelayMs: 60_000 },
        long: { text: 'word '.repeat(200_000), chunks: 200 },
      },
    },
    atEnd,
  )
})

interface RequestParts {
  body?: object | string
  headers?: readonly string[]
  path?: string
  host?: string
  key?: string
  /** Whether to avoid the fast lane. */
  isGeneral?: boolean
}

function bytesOf({
  body = hello,
  headers = [],
  isGeneral = false,
  ...asked
}: RequestParts): Buffer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { path = `/api/router/${running.routerId}/v1/chat/completions` } = asked
  const { host = new URL(running.origin).host, key = running.apiKey } = asked
  return Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      ...headers,
      ...(isGeneral ? ['x-twice: 1', 'x-twice: 1'] : []),
      '',
      text,
    ].join('\r\n'),
  )
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  isOfFastLane: boolean
}

/** Reads answers from a connection, in order. */
function reader(socket: TLSSocket): () => Promise<Answer> {
  let bytes = Buffer.alloc(0)
  let isClosed = false
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece])
  })
  socket.on('close', () => {
    isClosed = true
  })
  return () =>
    vi.waitFor(
      () => {
        const taken = takeAnswer(bytes)
        if (taken === null) throw new Error(isClosed ? 'closed' : `not whole yet: ${bytes.length}`)
        bytes = bytes.subarray(taken.length)
        return taken.answer
      },
      { timeout: 60_000, interval: 5 },
    )
}

function takeAnswer(bytes: Buffer): { answer: Answer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
    }),
  )
  const payload = takeBody(bytes.subarray(headEnd + 4), headers)
  if (payload === null) return null
  const status = Number(statusLine.split(' ')[1])
  // Node capitalizes the names of its own headers.
  const isOfFastLane = lines.some((line) => line.startsWith('date: '))
  const answer = { status, headers, body: payload.body.toString(), isOfFastLane }
  return { answer, length: headEnd + 4 + payload.length }
}

function takeBody(
  bytes: Buffer,
  headers: Record<string, string>,
): { body: Buffer; length: number } | null {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'])
    return bytes.length < length ? null : { body: bytes.subarray(0, length), length }
  }
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { body: Buffer.concat(chunks), length: end }
    chunks.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}

async function ask(asked: RequestParts): Promise<Answer> {
  const socket = await dial(running)
  socket.write(bytesOf(asked))
  return await reader(socket)()
}

/** The answer without the parts that differ between any two answers. */
function comparable({ status, headers, body }: Answer) {
  const { date: _date, 'x-request-id': id = '', ...rest } = headers
  delete rest['content-length']
  for (const name of Object.keys(rest)) if (/ratelimit/.test(name)) rest[name] = typeof rest[name]
  return {
    status,
    headers: rest,
    hasId: /^[0-9a-f-]{36}$/.test(id),
    body: body
      .replaceAll(id, 'ID')
      .replaceAll(/"(created|latencyMs|firstTokenMs|tookMs|startedMs)":[\d.]+/g, '"$1":0')
      .replaceAll(/"(carbonGrams|costUsd|cost)":[\d.e-]+/g, '"$1":0'),
  }
}

const user = { role: 'user', content: 'Hi' }
const of = (model: string, more: object = {}) => ({
  model: `fake:${model}`,
  messages: [user],
  ...more,
})

test.each<[string, RequestParts]>([
  ['an answer', {}],
  ['an answer at the address without v1', { path: '' }],
  ['a stream', { body: { ...hello, stream: true } }],
  [
    'a stream with its usage',
    { body: { ...hello, stream: true, stream_options: { include_usage: true } } },
  ],
  ['non-ASCII characters', { body: of('umlauts') }],
  ['non-ASCII characters in a stream', { body: of('umlauts', { stream: true }) }],
  ['a tool call', { body: of('caller') }],
  ['a tool call in a stream', { body: of('caller', { stream: true }) }],
  ['a model that fails', { body: of('failing') }],
  ['a model that fails, streamed', { body: of('failing', { stream: true }) }],
  ['a model that refuses the request', { body: of('refusing') }],
  ['a stream that breaks off', { body: of('breaking', { stream: true }) }],
  ['an unknown model', { body: of('nobody') }],
  ['an unknown agent', { body: { model: 'agent:nobody', messages: [user] } }],
  ['a request with an id and an explanation', { headers: ['x-modelport-conversation: c'] }],
  ['an invalid header', { headers: ['x-modelport-require: teleport'] }],
  ['a long answer', { body: of('long') }],
  ['a long stream', { body: of('long', { stream: true }) }],
])('%s is the same both ways', async (_name, asked) => {
  const path = `/api/router/${running.routerId}/chat/completions`
  const request = asked.path === '' ? { ...asked, path } : asked

  const fast = await ask(request)
  const general = await ask({ ...request, isGeneral: true })

  expect([fast.isOfFastLane, general.isOfFastLane]).toEqual([true, false])
  expect(comparable(fast)).toEqual(comparable(general))
})

test.each<[string, RequestParts]>([
  ['a body that is not JSON', { body: '{"messages":' }],
  ['an empty body', { body: '' }],
  ['a body without messages', { body: {} }],
  ['a role that is no text', { body: { messages: [{ role: 3, content: 'x' }] } }],
  ['a prototype', { body: '{"messages":[{"role":"user","content":"x"}],"__proto__":{}}' }],
  ['a forbidden field', { body: { ...hello, api_base: 'http://localhost' } }],
  ['an unknown router', { path: '/api/router/router_0000000000000000/chat/completions' }],
  ['a body larger than the lane', { body: of('fake-model', { user: 'x'.repeat(70_000) }) }],
  ['another host', { host: 'evil.example' }],
  ['our host with another port', { host: 'localhost:1' }],
  ['an unknown key', { key: 'mp_0000000000000000000000000000002C8GjS' }],
  ['a web page that is not allowed', { headers: ['origin: https://evil.example'] }],
  ['an unknown expectation', { headers: ['expect: wonders'] }],
  [
    '1,900 headers within 16 KB',
    { headers: Array.from({ length: 1_900 }, (_, n) => `x${n.toString(36)}:1`) },
  ],
])('%s is answered by the general way', async (_name, asked) => {
  const plain = await ask(asked)
  const general = await ask({ ...asked, isGeneral: true })

  expect(plain.isOfFastLane).toBe(false)
  expect(comparable(plain)).toEqual(comparable(general))
})

test('a request with an unknown expectation is answered', async () => {
  expect((await ask({ headers: ['expect: wonders'] })).status).toBe(200)
})

test('the date header has the current second', async () => {
  const { headers } = await ask({})

  expect(Math.abs(Date.parse(headers['date'] ?? '') - Date.now())).toBeLessThan(5_000)
})

test('many requests share a connection, whether sent one at a time or together', async () => {
  const socket = await dial(running)
  const next = reader(socket)

  socket.write(bytesOf({}))
  const first = await next()
  socket.write(Buffer.concat([bytesOf({}), bytesOf({ body: of('umlauts') }), bytesOf({})]))
  const others = [await next(), await next(), await next()]

  expect([first, ...others].map(({ status, isOfFastLane }) => [status, isOfFastLane])).toEqual(
    Array.from({ length: 4 }, () => [200, true]),
  )
  expect(others[1]?.body).toContain('Grüße')
})

test('requests that follow an unusual one also take the general way', async () => {
  const socket = await dial(running)
  const next = reader(socket)

  socket.write(Buffer.concat([bytesOf({}), bytesOf({ isGeneral: true }), bytesOf({})]))
  const answers = [await next(), await next(), await next()]
  socket.write(bytesOf({ body: '{' }))
  const refused = await next()

  expect(answers.map(({ status, isOfFastLane }) => [status, isOfFastLane])).toEqual([
    [200, true],
    [200, false],
    [200, false],
  ])
  expect(refused.status).toBe(400)
})

test('a request in two pieces is read wherever it is cut', async () => {
  const bytes = bytesOf({ body: of('umlauts') })
  const cuts = Array.from({ length: 40 }, (_value, index) =>
    Math.round(1 + (index * (bytes.length - 2)) / 39),
  )

  // The handshakes of the others would take part of the time that a request's rest may take.
  const sockets = await Promise.all(cuts.map(() => dial(running)))
  const answers = await Promise.all(
    sockets.map(async (socket, index) => {
      const cut = cuts[index]
      socket.write(bytes.subarray(0, cut))
      await sleep(20)
      socket.write(bytes.subarray(cut))
      return await reader(socket)()
    }),
  )

  expect(answers.every(({ status, body }) => status === 200 && body.includes('Grüße'))).toBe(true)
  expect(answers.every(({ isOfFastLane }) => isOfFastLane)).toBe(true)
})

test('a request that arrives byte by byte, or in part late, is answered', async () => {
  const [bytewise, late] = [await dial(running), await dial(running)]
  const bytes = bytesOf({})

  late.write(bytes.subarray(0, 50))
  for (const byte of bytes) {
    bytewise.write(Buffer.of(byte))
    await sleep(1)
  }
  await sleep(1_200)
  late.write(bytes.subarray(50))

  expect(await reader(bytewise)()).toMatchObject({ status: 200, isOfFastLane: false })
  expect(await reader(late)()).toMatchObject({ status: 200, isOfFastLane: false })
})

test.each([
  ['fast', false],
  ['general', true],
])(
  'a client that disconnects is recorded as 499, and its upstream is aborted: the %s way',
  async (_way, isGeneral) => {
    const socket = await dial(running)
    const before = running.fake.requestCount()
    const startedAtMs = Date.now()

    socket.write(bytesOf({ body: of('slow'), isGeneral }))
    await expect.poll(() => running.fake.requestCount()).toBe(before + 1)
    socket.destroy()

    await expect.poll(() => running.fake.requests.at(-1)?.abortedAtMs).not.toBeNull()
    // The row of this way's request, not of an earlier one.
    const isOfThis = (row: RequestRecord) => row.startedAtMs >= startedAtMs
    await expect
      .poll(async () => (await running.ledger(0)).filter(isOfThis))
      .toMatchObject([{ status: 499, errorCode: 'client_closed' }])
  },
)
