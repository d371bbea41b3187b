import { expect, test } from 'vitest'
import { availableMemory, isTooLarge, memoryNeeded } from './memory.ts'

const smollm2 = { sizeBytes: 98_362_432, cacheBytesPerToken: 23_040, vocabulary: 49_152 }

test('the estimate for the built-in model is above the 300 MB that it takes, by at most a third', () => {
  const bytes = memoryNeeded({ ...smollm2, contextTokens: 4096 })

  expect(bytes).toBeGreaterThan(300e6)
  expect(bytes).toBeLessThan(400e6)
})

test('each token of context takes its keys and values', () => {
  const needed = (contextTokens: number) => memoryNeeded({ ...smollm2, contextTokens })

  expect(needed(4097) - needed(4096)).toBe(23_040)
})

test('a file that names no sizes is estimated from its size', () => {
  const unknown = { cacheBytesPerToken: null, vocabulary: null, contextTokens: 8192 }

  // Qwen3 4B, whose own sizes give 4.1 GB.
  const bytes = memoryNeeded({ sizeBytes: 2_497_280_256, ...unknown })

  expect(bytes).toBeGreaterThan(3.5e9)
  expect(bytes).toBeLessThan(5e9)
})

test('this computer has some memory, and less than a petabyte', () => {
  const available = availableMemory()

  expect(available).toBeGreaterThan(10e6)
  expect(isTooLarge(available)).toBe(false)
  expect(isTooLarge(1e15)).toBe(true)
})
