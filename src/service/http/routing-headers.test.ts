import { expect, test } from 'vitest'
import { readRoutingHeaders } from './routing-headers.ts'

test('nothing is required where nothing is said', () => {
  expect(readRoutingHeaders({}).requires).toEqual([])
})

test('a list of capabilities is required, blanks around them or not', () => {
  expect(readRoutingHeaders({ 'x-modelport-require': 'seed, logprobs' }).requires).toEqual([
    'seed',
    'logprobs',
  ])
})

test.each(['', 'speed', 'seed,', 'seed;n'])('%j is refused by the name of the header', (value) => {
  expect(() => readRoutingHeaders({ 'x-modelport-require': value })).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-require' }),
  )
})

test('the conversation is what the caller calls it', () => {
  expect(readRoutingHeaders({ 'x-modelport-conversation': 'a b~' })).toEqual({
    requires: [],
    conversation: 'a b~',
  })
  expect(readRoutingHeaders({ 'x-modelport-require': 'n' }).conversation).toBeNull()
})

test.each(['', 'x'.repeat(256), 'a\tb', 'Grüße', 'a\u007f'])(
  'the conversation %j is refused by the name of the header',
  (value) => {
    expect(() => readRoutingHeaders({ 'x-modelport-conversation': value })).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'x-modelport-conversation' }),
    )
  },
)
