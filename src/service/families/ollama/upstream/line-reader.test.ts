import { expect, test } from 'vitest'
import { ProviderError } from '../../../providers/provider.ts'
import { LineReader } from './line-reader.ts'

const lines = ['{"message":{"content":"Grüße 👋"}}', '{"done":true}']
const bytes = Buffer.from(`${lines.join('\n')}\r\n\n`)

test('lines are the same wherever their bytes are cut', () => {
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const reader = new LineReader()
    const read = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))]
    expect(read.map((line) => line.trim())).toEqual(lines)
  }
})

test('lines arrive byte by byte', () => {
  const reader = new LineReader()
  const read = [...bytes].flatMap((byte) => reader.push(Uint8Array.of(byte)))
  expect(read.map((line) => line.trim())).toEqual(lines)
})

test('a line without an end is not read', () => {
  expect(new LineReader().push(Buffer.from('{"done":true}'))).toEqual([])
})

test('a line longer than 16 Mi characters is refused', () => {
  const reader = new LineReader()
  const piece = Buffer.alloc(1 << 20, 'a')
  for (let nth = 0; nth < 16; nth += 1) reader.push(piece)
  expect(() => reader.push(piece)).toThrow(RangeError)
})

test('a stream longer than 64 MiB is refused', () => {
  const reader = new LineReader()
  const piece = Buffer.alloc(1 << 20, '{}\n')
  for (let nth = 0; nth < 64; nth += 1) reader.push(piece)
  expect(() => reader.push(piece)).toThrow(ProviderError)
})
