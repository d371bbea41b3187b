import { expect, test } from 'vitest'
import { expectedTokensPerSecond, measureMemorySpeed } from './expected-speed.ts'

test('the built-in model is expected to write as fast as it did where that was measured', () => {
  const demo = { sizeBytes: 94_371_840, activeShare: 1 }
  expect(expectedTokensPerSecond(demo, 22.5e9)).toBeCloseTo(112, 0)
})

test('of a mixture of experts, only the weights that a token uses are read', () => {
  const expected = (activeShare: number) =>
    expectedTokensPerSecond({ sizeBytes: 10e9, activeShare }, 20e9)
  expect(expected(0.1)).toBeCloseTo(10 * expected(1))
})

test('the speed of the memory is that of the best of four copies', () => {
  const times = [0, 8, 20, 24, 30, 39, 40, 50]
  // 32 MiB are read and written in 4 ms.
  expect(measureMemorySpeed(() => times.shift() ?? NaN)).toBe((64 * 1024 * 1024) / 0.004)
})
