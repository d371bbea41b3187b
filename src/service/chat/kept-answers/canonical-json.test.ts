import { expect, test } from 'vitest'
import { sha256OfJson } from './canonical-json.ts'

const parse = (text: string): unknown => JSON.parse(text)

test.each([
  ['white space', '{"a":1,"b":[1,2]}', '{ "a": 1, "b": [1, 2] }'],
  ['the order of members', '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
  ['how a number is written', '{"a":1}', '{"a":1.0}'],
  ['how a character is written', '{"a":"é"}', '{"a":"\\u00e9"}'],
])('%s gives the same hash', (_name, a, b) => {
  expect(sha256OfJson(parse(a))).toBe(sha256OfJson(parse(b)))
})

test.each([
  ['the order of a list', '[1,2]', '[2,1]'],
  ['null and absent', '{"a":null}', '{}'],
  ['a number and its text', '{"a":1}', '{"a":"1"}'],
  ['a list and an object', '{"a":[1]}', '{"a":{"0":1}}'],
  ['where a member is', '{"a":{"b":1},"c":{}}', '{"a":{},"c":{"b":1}}'],
])('%s gives another hash', (_name, a, b) => {
  expect(sha256OfJson(parse(a))).not.toBe(sha256OfJson(parse(b)))
})

test('members named like a prototype are members', () => {
  expect(sha256OfJson(parse('{"__proto__":{"a":1}}'))).not.toBe(sha256OfJson(parse('{}')))
})
