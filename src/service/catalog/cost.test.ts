import { expect, test } from 'vitest'
import { costNanoUsd, isFree, isSamePrice, priceRow } from './cost.ts'

const noTokens = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

test.each([
  ['a token at USD 0.02 per million', 0.02, 1, 20],
  ['a token at USD 1 per million', 1, 1, 1_000],
  ['a million tokens at USD 2.50 per million', 2.5, 1_000_000, 2_500_000_000],
  ['three tokens at USD 0.1 per million, where doubles give 300.00000000000006', 0.1, 3, 300],
  ['1,234 tokens at USD 0.15 per million', 0.15, 1_234, 185_100],
  ['a price of tenths of a nano-dollar per token: 7 x 37.5 = 262.5, half up', 0.0375, 7, 263],
  ['below half a nano-dollar', 0.0004, 1, 0],
  ['half a nano-dollar', 0.0005, 1, 1],
  ['a price that a double holds as 1.00499999…', 1.005, 1, 1_005],
  ['2,000,000 tokens at USD 600 per million', 600, 2_000_000, 1_200_000_000_000],
  ['a free model', 0, 1_000_000, 0],
])('charges %s', (_what, inputUsdPerMtok, inputTokens, nanoUsd) => {
  const price = { inputUsdPerMtok, outputUsdPerMtok: 0 }
  expect(costNanoUsd(price, { ...noTokens, inputTokens })).toBe(nanoUsd)
})

test('charges each class of tokens its own price', () => {
  const price = {
    inputUsdPerMtok: 3,
    outputUsdPerMtok: 15,
    cacheReadUsdPerMtok: 0.3,
    cacheWriteUsdPerMtok: 3.75,
  }
  const tokens = { inputTokens: 100, cacheReadTokens: 2_000, cacheWriteTokens: 40, outputTokens: 8 }

  // 300,000 + 600,000 + 150,000 + 120,000
  expect(costNanoUsd(price, tokens)).toBe(1_170_000)
})

test('charges tokens that stay in the cache for an hour their own price', () => {
  const price = { inputUsdPerMtok: 3, outputUsdPerMtok: 15, cacheWriteUsdPerMtok: 3.75 }
  const tokens = { ...noTokens, cacheWriteTokens: 40, cacheWrite1hTokens: 30 }

  expect(costNanoUsd({ ...price, cacheWrite1hUsdPerMtok: 6 }, tokens)).toBe(37_500 + 180_000)
  expect(costNanoUsd(price, tokens)).toBe(150_000)
})

test('charges cached tokens as input when no cache price is known', () => {
  const price = { inputUsdPerMtok: 2, outputUsdPerMtok: 0, cacheReadUsdPerMtok: null }
  const tokens = { ...noTokens, cacheReadTokens: 10, cacheWriteTokens: 5 }

  expect(costNanoUsd(price, tokens)).toBe(30_000)
})

test('rounds the sum, not each class', () => {
  const price = { inputUsdPerMtok: 0.0004, outputUsdPerMtok: 0.0004 }
  const tokens = { ...noTokens, inputTokens: 1, outputTokens: 1 }

  expect(costNanoUsd(price, tokens)).toBe(1)
})

test.each([
  ['a negative count', { ...noTokens, inputTokens: -1 }],
  ['half a token', { ...noTokens, outputTokens: 0.5 }],
])('refuses %s', (_what, tokens) => {
  expect(() => costNanoUsd({ inputUsdPerMtok: 1, outputUsdPerMtok: 1 }, tokens)).toThrow(RangeError)
})

test('refuses a negative price', () => {
  const price = { inputUsdPerMtok: -1, outputUsdPerMtok: 1 }
  expect(() => costNanoUsd(price, { ...noTokens, inputTokens: 1 })).toThrow(RangeError)
})

const tiered = {
  inputUsdPerMtok: 1,
  outputUsdPerMtok: 10,
  tiers: [
    { fromPromptTokens: 100, inputUsdPerMtok: 2, outputUsdPerMtok: 20 },
    { fromPromptTokens: 200, inputUsdPerMtok: 3, outputUsdPerMtok: 30 },
  ],
}

test.each([
  [99, 1],
  [100, 2],
  [199, 2],
  [200, 3],
  [9_999, 3],
])('a prompt of %d tokens is in the tier of %d', (promptTokens, inputUsdPerMtok) => {
  expect(priceRow(tiered, promptTokens).inputUsdPerMtok).toBe(inputUsdPerMtok)
})

test('a tier applies to the whole request, and cached tokens count towards it', () => {
  const tokens = { inputTokens: 40, cacheReadTokens: 30, cacheWriteTokens: 30, outputTokens: 5 }

  expect(costNanoUsd(tiered, tokens)).toBe(100 * 2_000 + 5 * 20_000)
})

test('is free only if all prices of all tiers are 0', () => {
  const free = { inputUsdPerMtok: 0, outputUsdPerMtok: 0 }

  expect(isFree(free)).toBe(true)
  expect(isFree({ ...free, cacheWriteUsdPerMtok: 1 })).toBe(false)
  expect(isFree({ ...free, tiers: tiered.tiers })).toBe(false)
})

test('prices are the same if every tier is the same', () => {
  const dearer = tiered.tiers.map((tier) => ({ ...tier, outputUsdPerMtok: 31 }))

  expect(isSamePrice(tiered, structuredClone(tiered))).toBe(true)
  expect(isSamePrice(tiered, { ...tiered, cacheReadUsdPerMtok: null })).toBe(true)
  expect(isSamePrice(tiered, { ...tiered, tiers: [] })).toBe(false)
  expect(isSamePrice(tiered, { ...tiered, tiers: dearer })).toBe(false)
})
