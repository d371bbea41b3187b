/** Tests AWS's binary event stream, cut into pieces at any byte. */
import { EventStreamCodec } from '@smithy/core/event-streams'
import { expect, test } from 'vitest'
import { FrameReader } from './event-stream.ts'

const codec = new EventStreamCodec(
  (bytes: Uint8Array | string) =>
    typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
)

function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const typed = Object.entries(headers).map(
    ([name, value]) => [`:${name}`, { type: 'string' as const, value }] as const,
  )
  const body = Buffer.from(payload)
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body }))
}

const event = (name: string, payload: string) =>
  frame({ 'message-type': 'event', 'event-type': name }, payload)

const two = Buffer.concat([event('a', '{"text":"Grüße 🦜"}'), event('b', '{"x":1}')])
const expected = ['{"a":{"text":"Grüße 🦜"}}', '{"b":{"x":1}}']

test('two events are the same wherever the bytes are cut', () => {
  for (let at = 0; at <= two.length; at += 1) {
    const reader = new FrameReader()

    const events = [...reader.push(two.subarray(0, at)), ...reader.push(two.subarray(at))]

    expect(events).toEqual(expected)
  }
})

test('events are read byte by byte', () => {
  const reader = new FrameReader()

  expect([...two].flatMap((byte) => reader.push(Uint8Array.of(byte)))).toEqual(expected)
})

test('each changed byte after the length is noticed', () => {
  const good = event('a', '{"text":"Hello"}')
  for (let at = 4; at < good.length; at += 1) {
    const bad = Buffer.from(good)
    bad.writeUInt8(bad.readUInt8(at) ^ 0x40, at)

    const read = () => new FrameReader().push(bad)

    expect(read).toThrow(expect.objectContaining({ kind: 'invalid_response' }))
  }
})

test('a frame over 1 MiB is refused before it is stored', () => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE((1 << 20) + 1)

  expect(() => new FrameReader().push(length)).toThrow(
    'an event of the answer has an invalid length',
  )
})

test('a stream over 64 MiB is refused', () => {
  const reader = new FrameReader()
  const many = Buffer.concat(
    Array.from({ length: 16 }, () => event('a', JSON.stringify('x'.repeat(1 << 19)))),
  )
  const readAll = () => {
    for (let count = 0; count < 8; count += 1) reader.push(many)
  }

  expect(readAll).toThrow('the answer is longer than 64 MiB')
})

test('an exception is an event of its name, and an error without a type has its code', () => {
  const exception = frame(
    { 'message-type': 'exception', 'exception-type': 'throttlingException' },
    '{"message":"m"}',
  )
  const error = frame(
    { 'message-type': 'error', 'error-code': 'InternalFailure', 'error-message': 'm' },
    '',
  )

  expect(new FrameReader().push(Buffer.concat([exception, error]))).toEqual([
    '{"throttlingException":{"message":"m"}}',
    '{"error":{"code":"InternalFailure"}}',
  ])
})

test('a message of an unknown type is refused', () => {
  const strange = frame({ 'message-type': 'news' }, '{}')

  expect(() => new FrameReader().push(strange)).toThrow('unknown type')
})
