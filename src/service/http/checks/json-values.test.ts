import { expect, test } from 'vitest'
import { hasMoreValuesThan } from './json-values.ts'

/** Long enough that the values are counted. */
const padding = ' '.repeat(100)

test.each([
  ['members of nested objects', '{"a":1,"b":{"c":2}}', 3],
  ['items of nested lists', '[1,[2,3],4]', 5],
  ['an empty list', '[[]]', 2],
  ['nothing inside a string', '{"a":"[1,2,{3,4"}', 1],
  ['nothing after an escaped quote', String.raw`{"a":"\",\",\\\",,"}`, 1],
  ['what follows an escaped backslash at the end of a string', String.raw`{"a":"x\\","b":2}`, 2],
])('counts %s', (_what, text, count) => {
  expect(hasMoreValuesThan(count - 1, text + padding)).toBe(true)
  expect(hasMoreValuesThan(count, text + padding)).toBe(false)
})

test.each(['{"a":"never closed,,,,', '{"a":"\\'])(
  '%j has an end, though it is not JSON',
  (text) => {
    expect(hasMoreValuesThan(10, text + padding)).toBe(false)
  },
)
