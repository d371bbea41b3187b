import { expect, test } from 'vitest'
import { encoded, withDimensions } from './vectors.ts'

/** What 32 bits hold: the largest, the smallest, negative zero, and numbers that decimals do not hold. */
const floats = [
  3.4028234663852886e38,
  1.401298464324817e-45,
  -0,
  Math.fround(0.1),
  -Math.fround(1 / 3),
]

test('numbers become base64 and come back with the same bits', () => {
  const base64 = encoded(floats, 'base64')

  expect(encoded(base64, 'float')).toEqual(floats)
  expect(encoded(base64, 'base64')).toBe(base64)
  expect(encoded(floats, 'float')).toBe(floats)
})

test('the bytes are little-endian', () => {
  expect(encoded([1], 'base64')).toBe(Buffer.from([0, 0, 0x80, 0x3f]).toString('base64'))
})

test.each([
  ['numbers', [3, 4, 12, 84]],
  ['base64', encoded([3, 4, 12, 84], 'base64')],
])('%s with more dimensions are cut and get length 1', (_name, vector) => {
  expect(withDimensions(vector, 2, true)).toEqual([0.6, 0.8])
})

test('a vector of this length stays as it is', () => {
  const vector = [3, 4]

  expect(withDimensions(vector, 2, false)).toBe(vector)
})

test.each([
  ['that is too short', [1, 2], 3, true],
  ['of a model that is not trained for it', [1, 2, 3], 2, false],
])('a vector %s cannot be shortened', (_name, vector, dimensions, isShortenable) => {
  expect(() => withDimensions(vector, dimensions, isShortenable)).toThrow(
    expect.objectContaining({ kind: 'request' }),
  )
})

test('a vector of zeros stays one', () => {
  expect(withDimensions([0, 0, 1], 2, true)).toEqual([0, 0])
})
