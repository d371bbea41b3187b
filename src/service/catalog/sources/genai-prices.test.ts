import { expect, test } from 'vitest'
import { readGenaiPrices } from './genai-prices.ts'

const moment = { asOf: '2026-11-21', dayStartMs: Date.parse }

function offer(name: string, models: readonly unknown[]) {
  return readGenaiPrices([{ id: 'openai', models }], moment).offerOf('openai', name)
}

const row = { input_mtok: 1, output_mtok: 2 }

test('prices replaced before that day are left out, and later prices are kept', () => {
  const match = { equals: 'a' }
  const prices = [
    { prices: { input_mtok: 9, output_mtok: 9 } },
    { constraint: { start_date: '2026-11-21' }, prices: row },
    { constraint: { start_date: '2026-11-22' }, prices: { input_mtok: 3, output_mtok: 4 } },
  ]
  const found = offer('a', [{ id: 'a', match, prices }])

  expect(found?.price).toMatchObject({ inputUsdPerMtok: 1, outputUsdPerMtok: 2 })
  expect(found?.price.timed).toMatchObject([
    { startsAtMs: Date.parse('2026-11-22'), inputUsdPerMtok: 3, outputUsdPerMtok: 4 },
  ])
})

test('a tier begins with the token after its start, and has all prices', () => {
  const prices = {
    input_mtok: { base: 1, tiers: [{ start: 199, price: 2 }] },
    output_mtok: 5,
    cache_read_mtok: { base: 0.1, tiers: [{ start: 199, price: 0.2 }] },
  }
  const found = offer('a', [{ id: 'a', match: { equals: 'a' }, prices }])

  expect(found?.price.tiers).toEqual([
    {
      fromPromptTokens: 200,
      inputUsdPerMtok: 2,
      outputUsdPerMtok: 5,
      cacheReadUsdPerMtok: 0.2,
      cacheWriteUsdPerMtok: null,
    },
  ])
})

test('an exact name precedes an earlier pattern', () => {
  const models = [
    { id: 'any', match: { starts_with: 'a' }, prices: { input_mtok: 9, output_mtok: 9 } },
    { id: 'a-b', match: { equals: 'a-b' }, prices: row },
  ]

  expect(offer('a-b', models)?.price.inputUsdPerMtok).toBe(1)
  expect(offer('a-c', models)?.price.inputUsdPerMtok).toBe(9)
})

test('dated names of the same model are its aliases, and other names at its price are not', () => {
  const match = {
    or: ['a', 'a-2026-01-31', 'a-chat', 'b-2026-01-31'].map((equals) => ({ equals })),
  }

  expect(offer('a', [{ id: 'a', match, prices: row }])?.aliases).toEqual(['a-2026-01-31'])
})

test('runs no regular expression of the source', () => {
  const match = { regex: '^(a+)+$' }

  expect(offer('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', [{ id: 'a', match, prices: row }])).toBeNull()
  expect(offer('aa', [{ id: 'a', match, prices: row }])).toBeNull()
})

test.each([
  ['a price below zero', { input_mtok: -1, output_mtok: 1 }],
  ['no output price', { input_mtok: 1 }],
  [
    'an invalid hour',
    [{ constraint: { start_time: '25:00:00Z', end_time: '01:00:00Z' }, prices: row }],
  ],
])('has no offer of a model with %s, and offers of the others', (_what, prices) => {
  const models = [
    { id: 'bad', match: { equals: 'bad' }, prices },
    { id: 'good', match: { equals: 'good' }, prices: row },
  ]

  expect(offer('bad', models)).toBeNull()
  expect(offer('good', models)?.price.inputUsdPerMtok).toBe(1)
})

test('a model is found by its own name where only a pattern matches it', () => {
  const match = { and: [{ starts_with: 'a-' }, { regex: '^(?!.*-tts)' }] }
  const models = [{ id: 'a-pro', match, prices: row }]

  expect(offer('a-pro', models)?.price.inputUsdPerMtok).toBe(1)
  expect(offer('a-pro-tts', models)).toBeNull()
})

test('a free variant without a price is free, any other is not', () => {
  const models = ['a:free', 'a'].map((name) => ({ id: name, match: { equals: name }, prices: {} }))

  expect(offer('a:free', models)?.price).toMatchObject({ inputUsdPerMtok: 0, outputUsdPerMtok: 0 })
  expect(offer('a', models)).toBeNull()
})

test('refuses any other file', () => {
  expect(() => readGenaiPrices({ models: [] }, moment)).toThrow(/expected array/)
  expect(() => readGenaiPrices([], moment)).toThrow(/no provider/)
})
