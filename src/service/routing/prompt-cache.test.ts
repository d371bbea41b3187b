/** Tests the value of a warm prompt cache, and when filling it is expected to pay. */
import { describe, expect, test } from 'vitest'
import { cachedTokens, paysToMark } from './prompt-cache.ts'

const one = { modelId: 'p:one', effort: null }
const lastAnswer = { modelId: 'p:one', promptTokens: 5_000, ageMs: 0 }

describe('The cached tokens of the next prompt', () => {
  test('are those that the provider reported', () => {
    expect(cachedTokens(one, 6_000, { ...lastAnswer, cachedTokens: 4_000 })).toBe(4_000)
    expect(cachedTokens(one, 6_000, { ...lastAnswer, cachedTokens: 0 })).toBe(0)
  })

  test('are the whole last prompt where the provider caches unasked', () => {
    expect(cachedTokens(one, 6_000, { ...lastAnswer, cachedTokens: null })).toBe(5_000)
  })

  test('are none at another reasoning effort, which changes the cached request', () => {
    const thinking = { ...lastAnswer, cachedTokens: 4_000, effort: 'high' }

    expect(cachedTokens(one, 6_000, thinking)).toBe(0)
    expect(cachedTokens({ ...one, effort: 'high' }, 6_000, thinking)).toBe(4_000)
    // Vendors that cache unasked do not document such a rule.
    expect(cachedTokens(one, 6_000, { ...thinking, cachedTokens: null })).toBe(5_000)
  })

  test('are none after the cache’s time', () => {
    const old = { ...lastAnswer, cachedTokens: 4_000, ageMs: 300_001 }

    expect(cachedTokens(one, 6_000, old)).toBe(0)
  })
})

describe('Marking a prompt pays', () => {
  const price = {
    inputUsdPerMtok: 4,
    outputUsdPerMtok: 20,
    cacheReadUsdPerMtok: 0.4,
    cacheWriteUsdPerMtok: 5,
  }

  test('when the conversation went on before', () => {
    expect(paysToMark(price, { isContinued: true, continuedShare: 0 })).toBe(true)
  })

  test.each([
    // The surcharge is 1, the discount 3.6: 0.28 of the conversations must go on.
    [0.27, false],
    [0.28, true],
  ])('for a first request when %d of the conversations go on: %s', (continuedShare, pays) => {
    expect(paysToMark(price, { isContinued: false, continuedShare })).toBe(pays)
  })

  test('never where writing costs nothing extra, or reading is not cheaper', () => {
    const history = { isContinued: true, continuedShare: 1 }

    expect(paysToMark({ inputUsdPerMtok: 4, outputUsdPerMtok: 20 }, history)).toBe(false)
    expect(paysToMark({ ...price, cacheWriteUsdPerMtok: 4 }, history)).toBe(false)
    expect(paysToMark({ ...price, cacheReadUsdPerMtok: null }, history)).toBe(false)
  })
})
