import { expect, test } from 'vitest'
import { readRequest } from './read-request.ts'

const body = '{"messages":[{"role":"user","content":"Grüße"}]}'

interface Parts {
  line: string
  headers: string[]
  body: string
}

const usual: Parts = {
  line: 'POST /api/router/router_1/v1/chat/completions HTTP/1.1',
  headers: [
    'Host: localhost:4321',
    'Authorization: Bearer mp_x',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-empty-ish:a  b',
  ],
  body,
}

function bytesOf(parts: Partial<Parts> = {}): Buffer {
  const { line, headers, body: text } = { ...usual, ...parts }
  return Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n${text}`)
}

const withHeader = (...lines: string[]) => ({ headers: [...usual.headers, ...lines] })
const withLength = (length: string) => ({
  headers: [...usual.headers.filter((line) => !/^content-length/i.test(line)), length],
})

test('an ordinary request is read, whatever the case of its header names', () => {
  const bytes = bytesOf()

  expect(readRequest(bytes)).toEqual({
    target: '/api/router/router_1/v1/chat/completions',
    routerId: 'router_1',
    headers: {
      host: 'localhost:4321',
      authorization: 'Bearer mp_x',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-empty-ish': 'a  b',
    },
    body,
    byteLength: bytes.length,
  })
})

test('bytes after a request are not part of it', () => {
  const bytes = bytesOf()

  expect(readRequest(Buffer.concat([bytes, bytes]))).toMatchObject({ byteLength: bytes.length })
})

test('every prefix of a request is incomplete', () => {
  const bytes = bytesOf()

  const readings = Array.from(bytes, (_byte, end) => readRequest(bytes.subarray(0, end)))

  expect(new Set(readings)).toEqual(new Set(['incomplete']))
})

test.each<[string, Partial<Parts>]>([
  ['another method', { line: 'GET /api/router/router_1/v1/chat/completions HTTP/1.1' }],
  ['another address', { line: 'POST /api/router/router_1/v1/models HTTP/1.1' }],
  ['a query', { line: 'POST /api/router/router_1/chat/completions?a=1 HTTP/1.1' }],
  ['an escaped id', { line: 'POST /api/router/router%5F1/chat/completions HTTP/1.1' }],
  ['HTTP/1.0', { line: 'POST /api/router/router_1/chat/completions HTTP/1.0' }],
  ['two spaces', { line: 'POST  /api/router/router_1/chat/completions HTTP/1.1' }],
  ['a header twice', withHeader('host: localhost:4321')],
  ['a folded header', withHeader(' more')],
  ['a space before the colon', withHeader('x-a : b')],
  ['a header without a colon', withHeader('x-a')],
  ['a header without a value', withHeader('x-a:')],
  ['a tab', withHeader('x-a:\tb')],
  ['a bare line feed', withHeader('x-a: b\nx-c: d')],
  ['a bare carriage return', withHeader('x-a: b\rx-c: d')],
  ['a zero byte', withHeader('x-a: \0')],
  ['a letter beyond ASCII', withHeader('x-a: é')],
  ['a property name of every object', withHeader('constructor: a')],
  ['a chunked body', withHeader('transfer-encoding: chunked')],
  ['a body with Expect: 100-continue', withHeader('expect: 100-continue')],
  ['an upgrade', withHeader('upgrade: h2c')],
  ['a request from a web page', withHeader('origin: http://localhost')],
  ['a connection that closes', withHeader('connection: close')],
  ['an answer that can be stored', withHeader('idempotency-key: k')],
  ['compression', withHeader('content-encoding: gzip')],
  ['no length', withLength('x-a: b')],
  ['a signed length', withLength('content-length: +5')],
  ['a negative length', withLength('content-length: -5')],
  ['a fraction', withLength('content-length: 5.0')],
  ['two lengths in one', withLength('content-length: 5, 5')],
  ['a length beyond the lane', withLength('content-length: 65536')],
])('%s is unusual', (_name, parts) => {
  expect(readRequest(bytesOf(parts))).toBe('unusual')
})

test.each([
  ['a line feed alone', '\n'],
  ['a carriage return alone', '\rx'],
  ['a control character', '\u0000'],
  ['an 8-bit character', '\u00ff'],
  ['a line without a colon', '\r\nno colon\r\nx'],
])('an unfinished head with %s is unusual at once', (_what, broken) => {
  const head = `POST /api/router/r/v1/chat/completions HTTP/1.1\r\nhost: localhost${broken}`

  expect(readRequest(Buffer.from(head, 'latin1'))).toBe('unusual')
})

test('text that cannot become an ordinary request is unusual at once', () => {
  expect(readRequest(Buffer.from('GE'))).toBe('unusual')
  expect(readRequest(Buffer.from(`POST /api/router/${'a'.repeat(16_384)}`))).toBe('unusual')
})

test('with any byte changed, a request is never read with another length, address or host', () => {
  const bytes = bytesOf()
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const headEnd = bytes.indexOf('\r\n\r\n')
  const surprises: unknown[] = []

  for (let round = 0; round < 200_000; round += 1) {
    const changed = Buffer.from(bytes)
    const place = random(headEnd)
    changed[place] = random(256)
    const reading = readRequest(changed)
    if (typeof reading === 'string') continue
    // The changed request is still valid: the changed byte must appear in the result, at its place.
    const { routerId, headers, byteLength } = reading
    const again = changed.toString('latin1', 0, headEnd).toLowerCase()
    const isThere =
      again.startsWith(`post /api/router/${routerId.toLowerCase()}/`) &&
      Object.entries(headers).every(([name, value]) => {
        const text = value.toLowerCase()
        return again.includes(`\r\n${name}: ${text}`) || again.includes(`\r\n${name}:${text}`)
      }) &&
      byteLength === headEnd + 4 + Number(headers['content-length'])
    if (!isThere) surprises.push(reading)
  }

  expect(surprises).toEqual([])
})
