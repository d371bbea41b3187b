import { expect, test } from 'vitest'
import { expectedCostNanoUsd } from './expected-cost.ts'

const price = {
  inputUsdPerMtok: 2,
  outputUsdPerMtok: 10,
  cacheReadUsdPerMtok: 0.5,
  tiers: [{ fromPromptTokens: 1_000, inputUsdPerMtok: 4, outputUsdPerMtok: 20 }],
}

test('charges cached tokens at the cache price', () => {
  const tokens = { promptTokens: 900, cachedTokens: 500, outputTokens: 10 }

  expect(expectedCostNanoUsd(price, tokens)).toBe(400 * 2_000 + 500 * 500 + 10 * 10_000)
})

test('charges the answer at the tier of the whole prompt, too', () => {
  const tokens = { promptTokens: 1_000, cachedTokens: 999, outputTokens: 10 }

  expect(expectedCostNanoUsd(price, tokens)).toBe(1_000 * 4_000 + 10 * 20_000)
})
