/** Prices that a refresh takes from its sources, and what stays where a source says nothing. */
import { describe, expect, test } from 'vitest'
import { loadCatalog, type DownloadedModel } from './catalog.ts'
import { readGenaiPrices } from './sources/genai-prices.ts'
import { readModelsDev } from './sources/models-dev.ts'
import { updateModels } from './update.ts'

const asOf = '2026-12-01'
const tiered = bundled('openai:gpt-6.1-sol')
const hourly = bundled('anthropic:claude-opus-5-5')

function bundled(id: string): DownloadedModel {
  const found = loadCatalog()
    .models()
    .find((model) => model.id === id)
  if (found === undefined) throw new Error(`The bundled catalogue has no ${id}.`)
  return found
}

function refreshed(
  model: DownloadedModel,
  { cost, prices = {} }: { cost?: object; prices?: object },
) {
  const [type = '', name = ''] = model.id.split(':')
  const listed = {
    id: name,
    modalities: { input: ['text'], output: ['text'] },
    limit: { context: 1_000_000, output: 1000 },
    cost,
  }
  const priced = { id: name, match: { equals: name }, prices }
  const offers = cost === undefined ? [priced] : []
  const [updated] = updateModels([model], {
    prices: readGenaiPrices([{ id: type, models: offers }], { asOf, dayStartMs: Date.parse }),
    models: readModelsDev({ [type]: { models: { [name]: listed } } }),
    types: [type],
    asOf,
  })
  return updated
}

describe('prices for long prompts', () => {
  const base = { input: 3, output: 12, cache_read: 0.3 }
  const long = { input: 6, output: 18, cache_read: 0.6 }
  const row = { inputUsdPerMtok: 6, outputUsdPerMtok: 18, cacheReadUsdPerMtok: 0.6 }

  test('are read from tiers by the length of the context', () => {
    const tiers = [
      { ...long, input: 9, tier: { type: 'context', size: 500_000 } },
      { ...long, tier: { type: 'context', size: 272_000 } },
      { ...long, tier: { type: 'batch', size: 0 } },
    ]
    const cost = { ...base, tiers, context_over_200k: { ...long, input: 7 } }
    expect(refreshed(tiered, { cost })?.tiers).toMatchObject([
      { ...row, fromPromptTokens: 272_001 },
      { ...row, inputUsdPerMtok: 9, fromPromptTokens: 500_001 },
    ])
  })

  test('are read from the older form where there are no tiers', () => {
    const cost = { ...base, context_over_200k: long }
    expect(refreshed(tiered, { cost })?.tiers).toMatchObject([
      { ...row, fromPromptTokens: 200_001 },
    ])
  })

  test('stay in proportion to the price where models.dev has none', () => {
    const [known] = tiered.tiers
    const cost = { input: 2 * tiered.inputUsdPerMtok, output: 3 * tiered.outputUsdPerMtok }
    expect(known).toBeDefined()
    expect(refreshed(tiered, { cost })?.tiers).toMatchObject([
      {
        fromPromptTokens: known?.fromPromptTokens,
        inputUsdPerMtok: 2 * (known?.inputUsdPerMtok ?? 0),
        outputUsdPerMtok: 3 * (known?.outputUsdPerMtok ?? 0),
      },
    ])
  })

  test('go where the list of prices has the model without them', () => {
    expect(refreshed(tiered, { prices: { input_mtok: 1, output_mtok: 2 } })?.tiers).toEqual([])
  })
})

test('the price of an hour in the cache stays in proportion to that of input', () => {
  const input = hourly.inputUsdPerMtok / 4
  const prices = { input_mtok: input, output_mtok: 5, cache_write_mtok: 1.25 * input }
  const stays = (hourly.cacheWrite1hUsdPerMtok ?? 0) / 4

  expect(stays).toBeGreaterThan(0)
  expect(refreshed(hourly, { prices })?.cacheWrite1hUsdPerMtok).toBeCloseTo(stays, 9)
  const stated = { ...prices, cache_write_1h_mtok: 7 }
  expect(refreshed(hourly, { prices: stated })?.cacheWrite1hUsdPerMtok).toBe(7)
  const long = { input: 2 * input, output: 5, tier: { type: 'context', size: 100_000 } }
  const [tier] = refreshed(hourly, { cost: { input, output: 5, tiers: [long] } })?.tiers ?? []
  expect(tier?.cacheWrite1hUsdPerMtok).toBeCloseTo(2 * stays, 9)
})
