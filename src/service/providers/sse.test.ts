/** The reader of event streams, with input cut at any byte, as a network may cut it. */
import { expect, test } from 'vitest'
import { EventReader } from './sse.ts'

const words = ['Grüße', '日本語', '🦜', 'naïve', 'plain', '"quoted"', 'tab\\t']

/** More than 4 KiB of chunks as OpenAI sends them, with characters of one to four bytes. */
const recorded = Array.from({ length: 34 }, (_, index) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: words[index % words.length] }, finish_reason: null }],
  }),
)
const events = [...recorded, '[DONE]']

/** Everything that can surround the data: comments, other fields, no space, two lines of data. */
function framed(lineEnd: string): Buffer {
  const lines = events.flatMap((event, index) => [
    ...(index % 5 === 0 ? [': keep-alive', ''] : []),
    ...(index % 7 === 0 ? ['event: message', 'id: 7', 'retry: 10'] : []),
    index % 3 === 0 ? `data:${event}` : `data: ${event}`,
    ...(index % 11 === 0 ? ['data: second line'] : []),
    '',
  ])
  return Buffer.from(lines.map((line) => `${line}${lineEnd}`).join(''))
}
const expected = events.map((event, index) => (index % 11 === 0 ? `${event}\nsecond line` : event))

function read(...parts: Uint8Array[]): string[] {
  const reader = new EventReader()
  return parts.flatMap((part) => reader.push(part))
}

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines ended by %s give the same events, cut at every byte', (_name, lineEnd) => {
  const bytes = framed(lineEnd)
  expect(bytes.length).toBeGreaterThan(4096)

  const differing: number[] = []
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const found = read(bytes.subarray(0, cut), bytes.subarray(cut))
    if (found.join('\0') !== expected.join('\0')) differing.push(cut)
  }

  expect(differing).toEqual([])
})

test.each(['\n', '\r\n', '\r'])('byte by byte, lines ended by %j', (lineEnd) => {
  const bytes = framed(lineEnd)

  const found = read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))

  expect(found).toEqual(expected)
})

test('an event is returned as soon as its last line ends, with any line ending', () => {
  const reader = new EventReader()

  expect(reader.push(Buffer.from('data: 1\r\r'))).toEqual(['1'])
  expect(reader.push(Buffer.from('data: 2\n\n'))).toEqual(['2'])
})

test.each([
  ['an event without its empty line is dropped', 'data: 1\n\ndata: 2\n', ['1']],
  ['comments and empty events are ignored', ': hello\n\n\n\nevent: x\n\n', []],
  ['a byte order mark is not part of the first line', '\uFEFFdata: 1\n\n', ['1']],
  ['only one space after the colon is removed', 'data:  1\n\n', [' 1']],
  ['fields whose names only start with data are ignored', 'database: 1\n\ndata1: 2\n\n', []],
  ['CRLF and LF may be mixed', 'data: 1\r\ndata: 2\n\r\n', ['1\n2']],
])('%s', (_name, stream, found) => {
  expect(read(Buffer.from(stream))).toEqual(found)
})

const mebibyte = Buffer.alloc(1 << 20, 'x')

test('a line that never ends is refused at 16 Mi characters', () => {
  const pieces = Array.from({ length: 17 }, () => mebibyte)

  expect(() => read(Buffer.from('data: '), ...pieces)).toThrow(RangeError)
})

test('an event with endless lines is refused', () => {
  const line = Buffer.from(`data: ${'x'.repeat(1000)}\n`)

  expect(() => read(...Array.from({ length: 17_000 }, () => line))).toThrow(RangeError)
})

test('a stream of more than 64 MiB is refused, whatever it contains', () => {
  const reader = new EventReader()
  const piece = Buffer.from(`data: ${'x'.repeat((1 << 19) - 8)}\n\n`)
  expect(piece).toHaveLength(1 << 19)

  for (let count = 0; count < 128; count += 1) expect(reader.push(piece)).toHaveLength(1)

  expect(() => reader.push(piece)).toThrow('the answer is longer than 64 MiB')
})

test('an event can be a picture', () => {
  const picture = 'a'.repeat(4 << 20)

  expect(new EventReader().push(Buffer.from(`data: ${picture}\n\n`))).toEqual([picture])
})
