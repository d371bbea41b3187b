import { expect, test } from 'vitest'
import { readRoutingHeaders } from './routing-headers.ts'

test('without the headers nothing is required', () => {
  expect(readRoutingHeaders({}).requires).toEqual([])
})

test('a list of capabilities is required, with or without spaces', () => {
  expect(readRoutingHeaders({ 'x-modelport-require': 'seed, logprobs' }).requires).toEqual([
    'seed',
    'logprobs',
  ])
})

test.each(['', 'speed', 'seed,', 'seed;n'])(
  '%j is refused with the name of the header',
  (value) => {
    expect(() => readRoutingHeaders({ 'x-modelport-require': value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-require' }),
    )
  },
)

test('the header names the conversation', () => {
  expect(readRoutingHeaders({ 'x-modelport-conversation': 'a b~' })).toEqual({
    requires: [],
    conversation: 'a b~',
    tag: null,
    hops: 0,
  })
  expect(readRoutingHeaders({ 'x-modelport-require': 'n' }).conversation).toBeNull()
})

test.each(['', 'x'.repeat(256), 'a\tb', 'Grüße', 'a\u007f'])(
  'the conversation %j is refused with the name of the header',
  (value) => {
    expect(() => readRoutingHeaders({ 'x-modelport-conversation': value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-conversation' }),
    )
  },
)

test.each(['shop', 'x', 'Customer 12, EU', 'y'.repeat(64)])('the tag %j is read', (value) => {
  expect(readRoutingHeaders({ 'x-modelport-tag': value }).tag).toBe(value)
})

test.each(['', ' ', ' a', 'a ', 'x'.repeat(65), 'a\tb', 'Grüße'])(
  'the tag %j is refused with the name of the header',
  (value) => {
    expect(() => readRoutingHeaders({ 'x-modelport-tag': value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-tag' }),
    )
  },
)

test('the header counts the Modelports before this one', () => {
  expect(readRoutingHeaders({ 'x-modelport-hop': '4' }).hops).toBe(4)
})

test.each(['5', '999', '', '-1', '1.5', '1,1'])(
  'the count of Modelports %j is refused with the name of the header',
  (value) => {
    expect(() => readRoutingHeaders({ 'x-modelport-hop': value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-hop' }),
    )
  },
)
