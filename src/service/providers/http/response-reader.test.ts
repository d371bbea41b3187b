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

/** The result of reading these pieces. @throws as `push` */
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
  ['a length of 0', sized('0'), ''],
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
    'a repeated chunked encoding',
    `${ok('transfer-encoding: chunked', 'transfer-encoding: chunked')}1\r\n!\r\n0\r\n\r\n`,
    '!',
  ],
  ['no body, by its status', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ['status 304, regardless of its length', 'HTTP/1.1 304 x\r\ncontent-length: 5\r\n\r\n', ''],
  ['a status without a reason phrase', 'HTTP/1.1 200\r\ncontent-length: 1\r\n\r\n!', '!'],
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
    'status 100 before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\n${sized('1', '!')}`,
    '!',
  ],
]

describe('an answer with', () => {
  test.each(wellFormed)('%s is read', (_name, text, body) => {
    expect(read([bytesOf(text)])).toMatchObject({ body, heads: 1, isDone: true, isReusable: true })
  })

  test.each(wellFormed)('%s is the same wherever its bytes are split', (_name, text) => {
    const bytes = bytesOf(text)
    const whole = read([bytes])

    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
    }
    expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
  })

  test.each(wellFormed)('%s is incomplete before its last byte', (_name, text) => {
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

test('header names are in lower case, and values have no surrounding spaces', () => {
  const { headers } = read([bytesOf(ok('X-A: \t a b\t ', 'x-empty: ', 'x-tight:c', 'X-a: d'))])

  expect({ ...headers }).toEqual({ 'x-a': 'a b, d', 'x-empty': '', 'x-tight': 'c' })
})

test('a header may have the name of a property of every object', () => {
  const { headers } = read([bytesOf(ok('__proto__: a', 'constructor: b'))])

  expect(Object.entries(headers)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
})

const big = 'x'.repeat(70_000)

test.each([
  ['a length and chunks', ok('transfer-encoding: chunked', 'content-length: 3')],
  ['an encoding in addition to chunks', ok('transfer-encoding: gzip, chunked')],
  ['an encoding other than chunks', ok('transfer-encoding: identity')],
  ['chunks within another encoding', ok('transfer-encoding: chunked, gzip')],
  ['two lengths', ok('content-length: 3', 'content-length: 4')],
  ['a repeated length', ok('content-length: 3', 'content-length: 3')],
  ['a list of lengths', sized('3, 3')],
  ['a length that is not a number', sized('3x')],
  ['a negative length', sized('-1')],
  ['a length with a sign', sized('+1')],
  ['a length in hexadecimal', sized('0x1')],
  ['an empty length', sized('')],
  ['a length that is too large', sized('9'.repeat(16))],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'],
  ['the name of another protocol', 'ICY 200 OK\r\n\r\n'],
  ['the protocol in lower case', 'http/1.1 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status that starts with 0', 'HTTP/1.1 020 OK\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
  ['the beginning of another protocol', 'SSH-'],
  ['a line of another protocol', '220 ready\r\n'],
  ['a leading empty line', `\r\n${sized('0')}`],
  ['a bare line feed', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n'],
  ['a bare line feed after a header', 'HTTP/1.1 200 OK\r\na: b\ncontent-length: 0\r\n\r\n'],
  ['a bare carriage return', ok('a: b\rcontent-length: 0')],
  ['a folded header', ok('a: b', ' c')],
  ['a header without a name', ok(': a')],
  ['a header without a colon', ok('a')],
  ['a space before the colon', ok('content-length : 0')],
  ['a space before the name', ok(' content-length: 0')],
  ['an invalid header name', ok('a(b): c')],
  ['a zero in a header', ok('a: b\0c')],
  ['a control character in a header', ok('a: b\x01c')],
  ['an informational answer with an invalid header', `HTTP/1.1 100 x\r\na\r\n\r\n${sized('0')}`],
  ['endless informational answers', 'HTTP/1.1 103 x\r\n\r\n'.repeat(4_000) + sized('0')],
  ['a chunk without a size', chunked('\r\nhello\r\n')],
  ['a chunk size that is not a number', chunked('g\r\nhello\r\n')],
  ['a chunk size with a sign', chunked('+5\r\nhello\r\n')],
  ['a chunk size with 0x', chunked('0x5\r\nhello\r\n')],
  ['a space before a chunk size', chunked(' 5\r\nhello\r\n')],
  ['a chunk size that is too large', chunked(`${'f'.repeat(13)}\r\n`)],
  ['a bare line feed after a chunk size', chunked('5\nhello\r\n0\r\n\r\n')],
  ['a bare line feed in an extension', chunked('5;a\n\r\nhello\r\n')],
  ['a chunk longer than its size', chunked('4\r\nhello\r\n0\r\n\r\n')],
  ['a chunk shorter than its size', chunked('6\r\nhello\r\n0\r\n\r\n')],
  ['a bare line feed after a chunk', chunked('5\r\nhello\n0\r\n\r\n')],
  ['an invalid trailer', chunked('0\r\nnothing\r\n\r\n')],
  ['endless headers', `HTTP/1.1 200 OK\r\na: ${big}`],
  ['headers that are too long', ok(`a: ${big}`)],
  ['an endless chunk size', chunked('0'.repeat(2_000))],
  ['an extension that is too long', chunked(`5;${'a'.repeat(2_000)}\r\nhello`)],
  ['an endless trailer', chunked(`0\r\na: ${'b'.repeat(20_000)}`)],
  ['trailers that are too long', chunked(`0\r\n${`a: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`)],
])('an answer with %s is refused', (_name, text) => {
  expect(() => read([bytesOf(text)])).toThrow(SyntaxError)
})

test.each([
  ['HTTP/1.1', sized('1', '!'), true],
  ['connection: close', ok('content-length: 0', 'Connection: Close'), false],
  ['close among other options', ok('content-length: 0', 'connection: x,close'), false],
  [
    'close in a second header',
    ok('content-length: 0', 'connection: x', 'connection: close'),
    false,
  ],
  ['both options', ok('content-length: 0', 'connection: keep-alive, close'), false],
  ['an option that only resembles it', ok('content-length: 0', 'connection: closed'), true],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false],
  [
    'HTTP/1.0 with keep-alive',
    'HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n',
    true,
  ],
  ['bytes after a length', sized('1', '!?'), false],
  ['bytes after the last chunk', chunked('0\r\n\r\n?'), false],
  ['an answer after it', sized('0') + sized('0'), false],
  ['a body where there is none', 'HTTP/1.1 204 x\r\ncontent-length: 1\r\n\r\n!', false],
  ['half a body', sized('2', '!'), false],
])('the reader knows whether the connection is reusable after %s', (_name, text, isReusable) => {
  expect(read([bytesOf(text)])).toMatchObject({ isReusable, heads: 1 })
})

test('bytes that arrive separately after the end also end the use of the connection', () => {
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
])('the keep-alive header %j means %j ms', (value, keepAliveMs) => {
  const reader = new ResponseReader({ onHead: () => {}, onData: () => {} })
  reader.push(bytesOf(ok(`keep-alive: ${value}`, 'content-length: 0')))

  expect(reader.keepAliveMs).toBe(keepAliveMs)
})

const spaces = ' '.repeat(60_000)

test.each([
  ['a header of only spaces', ok(`a:${spaces}`)],
  ['a header of spaces with an invalid end', ok(`a:${spaces}\0`)],
  ['spaces within a header', ok(`a: b${spaces}c${spaces.slice(0, 100)}\0`)],
  ['spaces in the connection header', ok(`connection: a${spaces}b`, 'content-length: 0')],
  ['commas in the connection header', ok(`connection: ${', '.repeat(30_000)}b`)],
  ['spaces in the keep-alive header', ok(`keep-alive: a${spaces}b`, 'content-length: 0')],
])('%s are read in linear time', (_name, text) => {
  const before = process.threadCpuUsage()
  try {
    read([bytesOf(text)])
  } catch {
    // The time counts for refused answers, too.
  }

  // Processor time, because a busy machine takes longer.
  expect(process.threadCpuUsage(before).user).toBeLessThan(200_000)
})
