import { expect, test } from 'vitest'
import { parseExact, withExactNumbers } from './exact-json.ts'

test.each([
  '{"a":12345678901234567890}',
  '[-9007199254740993,9007199254740993,{"b":[123456789012345678901234567890]}]',
  '{"text":"12345678901234567890","float":0.5,"limit":9007199254740991}',
  '12345678901234567890',
])('%s is written as it was read', (text) => {
  expect(JSON.stringify(parseExact(text))).toBe(text)
})

test('a number that keeps its value is an ordinary number', () => {
  const parsed = parseExact(
    '{"long":12345678901234567890,"n":1.0,"max":9007199254740991,"e":1e300}',
  )

  expect(parsed).toMatchObject({ n: 1, max: Number.MAX_SAFE_INTEGER, e: 1e300 })
})

test.each([0, 1, 7, 15, 16, 17, 33])(
  'a long number is found %s characters into a text',
  (shift) => {
    const text = `${' '.repeat(shift)}[1234567890123456789]`

    expect(JSON.stringify(parseExact(text))).toBe(text.trim())
  },
)

test('a body without long numbers stays the same object', () => {
  const body = { a: 1 }

  expect(withExactNumbers(body, '{"a":1}')).toBe(body)
})
