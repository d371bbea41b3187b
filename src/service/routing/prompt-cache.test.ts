/** Tests the value of a warm prompt cache, and when filling it is expected to pay. */
import { describe, expect, test } from 'vitest'
import { cacheRuleOf, hourMs } from './cache-rules.ts'
import { expectedCostNanoUsd } from './expected-cost.ts'
import { cacheFlow, cachedTokens, paysToMark, type CacheContext } from './prompt-cache.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'

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

describe('Each model of a conversation', () => {
  const minutes = (count: number) => count * 60_000
  const strong = { modelId: 'anthropic:claude-opus-5-5', effort: null }
  const other = { modelId: 'openai:gpt-6.1-sol', effort: null }
  const prefix = (of: typeof strong, ageMs: number) => ({
    modelId: of.modelId,
    promptTokens: 50_000,
    cachedTokens: 50_000,
    effort: null,
    lifetimeMs: cacheRuleOf(of).lifetimeMs,
    ageMs,
  })

  test('has a prefix and a lifetime of its own', () => {
    const last = { ...prefix(strong, minutes(6)), others: [prefix(other, minutes(29))] }

    expect(cachedTokens(strong, 60_000, last)).toBe(0)
    expect(cachedTokens(other, 60_000, last)).toBe(50_000)
    expect(cachedTokens(other, 60_000, { ...last, others: [prefix(other, minutes(31))] })).toBe(0)
  })

  test('keeps for an hour what was written for an hour', () => {
    const last = { ...prefix(strong, minutes(59)), lifetimeMs: hourMs }

    expect(cachedTokens(strong, 60_000, last)).toBe(50_000)
  })

  test('reads only the shortest prompt after a compaction', () => {
    const last = { ...prefix(strong, 0), leastPromptTokens: 20_000 }

    expect(cachedTokens(strong, 25_000, last)).toBe(20_000)
    expect(cachedTokens(strong, 51_000, last)).toBe(50_000)
  })

  test('reads, without a promise of its vendor, the share of whole blocks that it read lately', () => {
    const last = { modelId: 'google:gemini-3.5-flash', promptTokens: 10_000, ageMs: 0 }
    const gemini = { modelId: last.modelId, effort: null }

    expect(cachedTokens(gemini, 12_000, { ...last, readShare: 0.85 })).toBe(6_909)
  })
})

describe('What is written to a cache', () => {
  const claude = candidate({
    modelId: 'anthropic:claude-haiku-5-5',
    price: {
      inputUsdPerMtok: 0.1,
      outputUsdPerMtok: 0.5,
      cacheReadUsdPerMtok: 0.01,
      cacheWriteUsdPerMtok: 0.125,
      cacheWrite1hUsdPerMtok: 0.2,
      tiers: [
        {
          fromPromptTokens: 100_001,
          inputUsdPerMtok: 0.5,
          outputUsdPerMtok: 2.5,
          cacheReadUsdPerMtok: 0.05,
          cacheWriteUsdPerMtok: 0.625,
        },
      ],
    },
  })
  const warm = {
    modelId: claude.modelId,
    promptTokens: 80_000,
    cachedTokens: 80_000,
    ageMs: 0,
  }
  const costOf = (promptTokens: number, given: Partial<CacheContext>) => {
    const flow = cacheFlow(claude, promptTokens, { lastAnswer: warm, ...given })
    return expectedCostNanoUsd(claude.price, { ...flow, promptTokens, outputTokens: 300 })
  }
  const writesCache = () => true

  test('costs the price of writing where the prompt is marked', () => {
    expect(costOf(90_000, { writesCache })).toBe(80_000 * 10 + 10_000 * 125 + 300 * 500)
    expect(costOf(90_000, {})).toBe(80_000 * 10 + 10_000 * 100 + 300 * 500)
  })

  test('costs the price of an hour where the prefix stays for one', () => {
    const forAnHour = { ...warm, lifetimeMs: hourMs }

    expect(costOf(90_000, { writesCache, lastAnswer: forAnHour })).toBe(
      80_000 * 10 + 10_000 * 200 + 300 * 500,
    )
  })

  test('costs, with the whole request, the price of a long prompt', () => {
    expect(costOf(110_000, { writesCache })).toBe(80_000 * 50 + 30_000 * 625 + 300 * 2_500)
  })

  test('is at another effort everything: its cache is its own', () => {
    const at = (effort: string | null) =>
      cacheFlow(claude, 90_000, {
        lastAnswer: { ...warm, effort: 'high' },
        writesCache,
        effort,
      })

    expect(at('high')).toMatchObject({ cachedTokens: 80_000, writtenTokens: 10_000 })
    expect(at('low')).toMatchObject({ cachedTokens: 0, writtenTokens: 90_000 })
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
