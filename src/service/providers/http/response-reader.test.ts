import { describe, expect, test } from 'vitest'
import { ResponseReader, type ResponseHeaders } from './response-reader.ts'

interface Read {
  status: number
  headers: ResponseHeaders
  body: string
  heads: number
  isDone: boolean
  isReusable: boolean
}

/** What becomes of an answer that comes in these pieces. @throws as `push` */
function read(pieces: readonly Buffer[], isClosed = false): Read {
  const seen = { status: 0, headers: {} as ResponseHeaders, body: '', heads: 0 }
  const reader = new ResponseReader({
    onHead: (status, headers) => Object.assign(seen, { status, headers, heads: seen.heads + 1 }),
    onData: (piece) => void (seen.body += piece.toString('latin1')),
  })
  for (const piece of pieces) reader.push(piece)
  if (isClosed) reader.end()
  return { ...seen, isDone: reader.isDone, isReusable: reader.isReusable }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const ok = (...lines: string[]): string => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`
const sized = (length: string, body = ''): string => ok(`Content-Length: ${length}`) + body
const chunked = (body: string): string => ok('Transfer-Encoding: chunked') + body

const wellFormed: [string, string, string][] = [
  ['a length', sized('5', 'hello'), 'hello'],
  ['a length of nothing', sized('0'), ''],
  ['chunks', chunked('5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n'), 'hello!'],
  [
    'sizes in hexadecimal',
    chunked('a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n'),
    '0123456789'.repeat(2),
  ],
  ['a size with zeros before it', chunked('005\r\nhello\r\n000\r\n\r\n'), 'hello'],
  ['extensions of chunks', chunked('5;a=b;c="d"\r\nhello\r\n0;e\r\n\r\n'), 'hello'],
  ['trailers', chunked('5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-Other:\r\n\r\n'), 'hello'],
  ['line ends within a chunk', chunked('4\r\n\r\n\r\n\r\n0\r\n\r\n'), '\r\n\r\n'],
  ['the encoding in capitals', `${ok('TRANSFER-ENCODING: Chunked')}1\r\n!\r\n0\r\n\r\n`, '!'],
  [
    'chunks that are told twice',
    `${ok('transfer-encoding: chunked', 'transfer-encoding: chunked')}1\r\n!\r\n0\r\n\r\n`,
    '!',
  ],
  ['nothing, by its status', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ['not modified, whatever length it tells', 'HTTP/1.1 304 x\r\ncontent-length: 5\r\n\r\n', ''],
  ['a status without words', 'HTTP/1.1 200\r\ncontent-length: 1\r\n\r\n!', '!'],
  [
    'bytes above ASCII',
    'HTTP/1.1 200 Gr\xfc\xdfe\r\nx: \xe4\r\ncontent-length: 1\r\n\r\n\xf6',
    '\xf6',
  ],
  [
    'early hints before it',
    `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${sized('1', '!')}`,
    '!',
  ],
  [
    'to go on before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\n${sized('1', '!')}`,
    '!',
  ],
]

describe('an answer with', () => {
  test.each(wellFormed)('%s is read', (_name, text, body) => {
    expect(read([bytesOf(text)])).toMatchObject({ body, heads: 1, isDone: true, isReusable: true })
  })

  test.each(wellFormed)('%s is the same wherever it is cut', (_name, text) => {
    const bytes = bytesOf(text)
    const whole = read([bytes])

    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
    }
    expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
  })

  test.each(wellFormed)('%s is not whole before its last byte', (_name, text) => {
    expect(read([bytesOf(text).subarray(0, -1)], true).isDone).toBe(false)
  })
})

test('an answer without length or chunks ends with its connection', () => {
  const text = `${ok('x: y')}some\r\n0\r\n\r\nmore`

  expect(read([bytesOf(text)]).isDone).toBe(false)
  expect(read([bytesOf(text)], true)).toMatchObject({
    body: 'some\r\n0\r\n\r\nmore',
    isDone: true,
    isReusable: false,
  })
})

test('headers have small names, and no spaces around their values', () => {
  const { headers } = read([bytesOf(ok('X-A: \t a b\t ', 'x-empty: ', 'x-tight:c', 'X-a: d'))])

  expect({ ...headers }).toEqual({ 'x-a': 'a b, d', 'x-empty': '', 'x-tight': 'c' })
})

test('a header may be called as what every object has', () => {
  const { headers } = read([bytesOf(ok('__proto__: a', 'constructor: b'))])

  expect(Object.entries(headers)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
})

const big = 'x'.repeat(70_000)

test.each([
  ['a length and chunks', ok('transfer-encoding: chunked', 'content-length: 3')],
  ['an encoding besides chunks', ok('transfer-encoding: gzip, chunked')],
  ['an encoding that is not chunks', ok('transfer-encoding: identity')],
  ['chunks within another encoding', ok('transfer-encoding: chunked, gzip')],
  ['two lengths', ok('content-length: 3', 'content-length: 4')],
  ['a length told twice', ok('content-length: 3', 'content-length: 3')],
  ['a list of lengths', sized('3, 3')],
  ['a length that is no number', sized('3x')],
  ['a length below nothing', sized('-1')],
  ['a length with a sign', sized('+1')],
  ['a length in hexadecimal', sized('0x1')],
  ['no length where it is told', sized('')],
  ['a length that no number holds', sized('9'.repeat(16))],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'],
  ['the name of another protocol', 'ICY 200 OK\r\n\r\n'],
  ['the name in small letters', 'http/1.1 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status that begins with nought', 'HTTP/1.1 020 OK\r\n\r\n'],
  ['another protocol from now on', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
  ['the beginning of another protocol', 'SSH-'],
  ['a line of another protocol', '220 ready\r\n'],
  ['an empty line before it', `\r\n${sized('0')}`],
  ['a line feed alone', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n'],
  ['a line feed alone after a header', 'HTTP/1.1 200 OK\r\na: b\ncontent-length: 0\r\n\r\n'],
  ['a carriage return alone', ok('a: b\rcontent-length: 0')],
  ['a folded header', ok('a: b', ' c')],
  ['a header without a name', ok(': a')],
  ['a header without a colon', ok('a')],
  ['a space before the colon', ok('content-length : 0')],
  ['a space before the name', ok(' content-length: 0')],
  ['a name that is none', ok('a(b): c')],
  ['a zero in a header', ok('a: b\0c')],
  ['a control character in a header', ok('a: b\x01c')],
  ['an answer before it with such a header', `HTTP/1.1 100 x\r\na\r\n\r\n${sized('0')}`],
  ['a chunk without a size', chunked('\r\nhello\r\n')],
  ['a size that is no number', chunked('g\r\nhello\r\n')],
  ['a size with a sign', chunked('+5\r\nhello\r\n')],
  ['a size with 0x', chunked('0x5\r\nhello\r\n')],
  ['a space before a size', chunked(' 5\r\nhello\r\n')],
  ['a size that no number holds', chunked(`${'f'.repeat(13)}\r\n`)],
  ['a line feed alone after a size', chunked('5\nhello\r\n0\r\n\r\n')],
  ['a line feed alone in an extension', chunked('5;a\n\r\nhello\r\n')],
  ['a chunk longer than its size', chunked('4\r\nhello\r\n0\r\n\r\n')],
  ['a chunk shorter than its size', chunked('6\r\nhello\r\n0\r\n\r\n')],
  ['a line feed alone after a chunk', chunked('5\r\nhello\n0\r\n\r\n')],
  ['a trailer that is no header', chunked('0\r\nnothing\r\n\r\n')],
  ['headers without an end', `HTTP/1.1 200 OK\r\na: ${big}`],
  ['headers that are too long', ok(`a: ${big}`)],
  ['a size without an end', chunked('0'.repeat(2_000))],
  ['an extension that is too long', chunked(`5;${'a'.repeat(2_000)}\r\nhello`)],
  ['a trailer without an end', chunked(`0\r\na: ${'b'.repeat(20_000)}`)],
  ['trailers that are too long', chunked(`0\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`)],
])('an answer with %s is refused', (_name, text) => {
  expect(() => read([bytesOf(text)])).toThrow(SyntaxError)
})

test.each([
  ['HTTP/1.1', sized('1', '!'), true],
  ['a connection that is to close', ok('content-length: 0', 'Connection: Close'), false],
  ['one of several words', ok('content-length: 0', 'connection: x,close'), false],
  ['a word of several lines', ok('content-length: 0', 'connection: x', 'connection: close'), false],
  ['both words', ok('content-length: 0', 'connection: keep-alive, close'), false],
  ['a word that only looks so', ok('content-length: 0', 'connection: closed'), true],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false],
  [
    'HTTP/1.0 that is kept alive',
    'HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n',
    true,
  ],
  ['bytes after a length', sized('1', '!?'), false],
  ['bytes after the last chunk', chunked('0\r\n\r\n?'), false],
  ['an answer after it', sized('0') + sized('0'), false],
  ['a body where there is none', 'HTTP/1.1 204 x\r\ncontent-length: 1\r\n\r\n!', false],
  ['half a body', sized('2', '!'), false],
])('after %s the connection is used again or not', (_name, text, isReusable) => {
  expect(read([bytesOf(text)])).toMatchObject({ isReusable, heads: 1 })
})

test('what comes after the end in a piece of its own ends the use of the connection too', () => {
  expect(read([bytesOf(sized('1', '!')), bytesOf('?')])).toMatchObject({
    body: '!',
    isReusable: false,
  })
})

test.each<[string, number | null]>([
  ['timeout=5', 5_000],
  ['timeout=5, max=100', 5_000],
  ['max=100, Timeout="72"', 72_000],
  ['max=100', null],
  ['mytimeout=5', null],
  ['', null],
])('kept alive with %j is %j ms', (value, keepAliveMs) => {
  const reader = new ResponseReader({ onHead: () => {}, onData: () => {} })
  reader.push(bytesOf(ok(`keep-alive: ${value}`, 'content-length: 0')))

  expect(reader.keepAliveMs).toBe(keepAliveMs)
})

const spaces = ' '.repeat(60_000)

test.each([
  ['a header of spaces alone', ok(`a:${spaces}`)],
  ['a header of spaces and no good', ok(`a:${spaces}\0`)],
  ['spaces within a header', ok(`a: b${spaces}c${spaces.slice(0, 100)}\0`)],
  ['spaces in the word on the connection', ok(`connection: a${spaces}b`, 'content-length: 0')],
  ['commas in the word on the connection', ok(`connection: ${', '.repeat(30_000)}b`)],
  ['spaces in how long it is kept', ok(`keep-alive: a${spaces}b`, 'content-length: 0')],
])('%s take no longer than other bytes', (_name, text) => {
  const startedMs = performance.now()
  try {
    read([bytesOf(text)])
  } catch {
    // Refused or not, it is to be quick.
  }

  expect(performance.now() - startedMs).toBeLessThan(200)
})
