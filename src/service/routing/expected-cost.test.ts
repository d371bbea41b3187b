import { expect, test } from 'vitest'
import { expectedCostNanoUsd } from './expected-cost.ts'

const price = {
  inputUsdPerMtok: 2,
  outputUsdPerMtok: 10,
  cacheReadUsdPerMtok: 0.5,
  tiers: [{ fromPromptTokens: 1_000, inputUsdPerMtok: 4, outputUsdPerMtok: 20 }],
}

test('counts what the cache has at its price', () => {
  const tokens = { promptTokens: 900, cachedTokens: 500, outputTokens: 10 }

  expect(expectedCostNanoUsd(price, tokens)).toBe(400 * 2_000 + 500 * 500 + 10 * 10_000)
})

test('takes the tier of the whole prompt, for the answer too', () => {
  const tokens = { promptTokens: 1_000, cachedTokens: 999, outputTokens: 10 }

  expect(expectedCostNanoUsd(price, tokens)).toBe(1_000 * 4_000 + 10 * 20_000)
})
