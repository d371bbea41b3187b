import { describe, expect, test } from 'vitest'
import { loadCatalog } from '../catalog/catalog.ts'
import { findCatalogModel } from '../catalog/whose-models.ts'
import { askChange } from './session-arithmetic.ts'

const catalog = loadCatalog()

function priceOf(modelId: string) {
  const price = findCatalogModel(catalog, modelId)
  if (price === null) throw new Error(`the catalogue has no ${modelId}`)
  return price
}

const opus = 'anthropic:claude-opus-5-5'
const sonnet = 'anthropic:claude-sonnet-5-5'
const haiku = 'anthropic:claude-haiku-5-5'

function ask(from: string, to: string, promptTokens: number) {
  return askChange({
    from: priceOf(from),
    to: priceOf(to),
    promptTokens,
    cachedTokens: 0,
    outputTokens: 300,
    appendedTokens: 1_000,
    laterSteps: 0,
    losesCache: false,
    steps: 3,
  })
}

describe('a change for a run of three steps', () => {
  // Savings of a step and costs of filling the cache, in dollars.
  test.each([
    [opus, haiku, 60_000, 0.0154, 0.0069],
    [opus, haiku, 120_000, 0.0189, 0.069],
    [opus, sonnet, 60_000, 0.0016, 0.144],
    [sonnet, haiku, 95_000, 0.01, 0.0109],
    ['openai:gpt-5.6-sol', 'openai:gpt-5.6-terra', 120_000, 0.0134, 0.276],
  ])('from %s to %s at %i tokens', (from, to, promptTokens, saved, fill) => {
    const sums = ask(from, to, promptTokens)?.sums

    expect((sums?.savedNanoUsd ?? 0) / 1e9).toBeCloseTo(saved, 3)
    expect((sums?.fillNanoUsd ?? 0) / 1e9).toBeCloseTo(fill, 3)
  })

  test.each([
    [opus, haiku, 60_000, true],
    [opus, haiku, 120_000, false],
    [opus, sonnet, 60_000, false],
    [sonnet, haiku, 120_000, false],
    ['openai:gpt-6.1-sol', 'openai:gpt-6-luna', 120_000, true],
    ['openai:gpt-5.6-sol', 'openai:gpt-5.6-terra', 20_000, false],
  ])('from %s to %s at %i tokens pays: %s', (from, to, promptTokens, pays) => {
    expect((ask(from, to, promptTokens)?.gainNanoUsd ?? 0) > 0).toBe(pays)
  })

  test('losing the first cache takes the saving away', () => {
    const kept = ask(opus, haiku, 60_000)
    const lost = askChange({
      from: priceOf(opus),
      to: priceOf(haiku),
      promptTokens: 60_000,
      cachedTokens: 60_000,
      outputTokens: 300,
      appendedTokens: 1_000,
      laterSteps: 0,
      losesCache: true,
      steps: 3,
    })

    expect(kept?.gainNanoUsd).toBeGreaterThan(0)
    expect(lost?.sums.fillNanoUsd).toBe(0)
    expect(lost?.gainNanoUsd).toBeLessThan(0)
  })

  test('without a price for reading a cache there is no answer', () => {
    const unknown = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }
    const question = { promptTokens: 9, cachedTokens: 0, outputTokens: 1, appendedTokens: 1 }
    const rest = { laterSteps: 0, losesCache: false, steps: 3 }

    expect(askChange({ from: priceOf(opus), to: unknown, ...question, ...rest })).toBeNull()
  })
})
