import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { findProvider } from '@pydantic/genai-prices'
import { expect, test } from 'vitest'
import catalogFile from '../../resources/catalog.json' with { type: 'json' }
import {
  catalogApiSchema,
  catalogModelSchema,
  loadCatalog,
} from '../../src/service/catalog/catalog.ts'
import { readGenaiPrices } from '../../src/service/catalog/sources/genai-prices.ts'
import { readModelsDev } from '../../src/service/catalog/sources/models-dev.ts'
import { catalogChanges, updateModels } from '../../src/service/catalog/update.ts'
import { localModelName } from '../../src/service/local/local-model.ts'
import { makesEmbeddings } from '../../src/shared/models/model-abilities.ts'
import { findProviderType } from '../../src/service/provider-types/provider-types.ts'
import { ratedModels } from '../../training/ratings/rated-models.ts'
import { ratingsSchema } from '../../training/ratings/ratings.ts'
import ratingsFile from '../../training/ratings.json' with { type: 'json' }

const catalog = loadCatalog()
const ids = catalogFile.models.map(({ id }) => id)

function modelWithId(id: string) {
  return catalogFile.models.find((model) => model.id === id)
}

test('lists every model of the file under its provider type, each once', () => {
  const types = new Set(ids.map((id) => id.slice(0, id.indexOf(':'))))
  const listed = [...types].flatMap((type) => catalog.modelsOf(type).map(({ id }) => id))

  expect(new Set(ids).size).toBe(ids.length)
  expect(listed).toEqual(ids)
})

test('lists nothing for an unknown provider type', () => {
  expect(catalog.modelsOf('openai-compatible')).toEqual([])
})

test.each(catalogFile.models)('$id has a price with its source and date', (model) => {
  const { source, asOf } = catalogModelSchema.parse(model)

  expect(source).not.toBe('')
  expect(Date.parse(asOf)).toBeLessThanOrEqual(Date.now())
})

test.each(catalogFile.models)('$id costs no less for a longer prompt', (model) => {
  const { tiers, timed, ...row } = catalogModelSchema.parse(model)

  for (const price of [{ ...row, tiers }, ...timed]) {
    const rows = [{ ...price, fromPromptTokens: 0 }, ...price.tiers]
    for (const [index, tier] of rows.slice(1).entries()) {
      const before = rows[index]
      expect(tier.fromPromptTokens).toBeGreaterThan(before?.fromPromptTokens ?? Infinity)
      expect(tier.inputUsdPerMtok).toBeGreaterThanOrEqual(before?.inputUsdPerMtok ?? Infinity)
      expect(tier.outputUsdPerMtok).toBeGreaterThanOrEqual(before?.outputUsdPerMtok ?? Infinity)
    }
  }
})

test.each(catalogFile.models)('$id names a source for each of its facts', (model) => {
  const known = catalogModelSchema.parse(model)
  const unsourced = [
    known.capabilities.length > 0 && known.capabilitySource === null,
    known.energyWhPerKtok !== null && known.energySource === null,
    known.size !== null && known.sizeSource === null,
    known.speed !== null && known.speedSource === null,
    known.refuses.length > 0 && known.refusesSource === null,
  ]
  expect(unsourced).not.toContain(true)
})

test.each(catalogFile.models)('$id belongs to a registered provider type', ({ id }) => {
  expect(findProviderType(id.slice(0, id.indexOf(':')))).toBeDefined()
})

test.each(catalogFile.apis)(
  '$type is registered, and the parameters it refuses have a source',
  (api) => {
    const { type, source, refuses } = catalogApiSchema.parse(api)

    expect(findProviderType(type)).toBeDefined()
    expect(source).not.toBe('')
    expect(catalog.habitsOf(type)?.refuses).toEqual(refuses)
  },
)

test.each([
  [true, ['mistral', 'ollama', 'llama-cpp']],
  [
    false,
    'openai azure anthropic google google-vertex groq cerebras deepseek xai openrouter local'.split(
      ' ',
    ),
  ],
])('an absent temperature is sent (%s) to %j', (isSent, types) => {
  expect(types.filter((type) => catalog.habitsOf(type)?.sendsTemperature !== isSent)).toEqual([])
})

test.each([
  ['openai:o3', 'temperature', false],
  ['openai:gpt-5', 'max_tokens', false],
  ['openai:gpt-5.4', 'top_p', true],
  ['xai:grok-4.5', 'presence_penalty', false],
])('%s refuses %s', (id, parameter, samplesWithoutReasoning) => {
  const model = modelWithId(id)

  expect(model?.refuses).toContain(parameter)
  expect(model?.samplesWithoutReasoning).toBe(samplesWithoutReasoning)
})

test('gpt-4o accepts every parameter, several answers, logprobs and a seed', () => {
  const { refuses, capabilities } = modelWithId('openai:gpt-4o') ?? {}

  expect(refuses).toEqual([])
  expect(capabilities).toEqual(expect.arrayContaining(['n', 'logprobs', 'seed', 'json']))
})

const parsed = catalogFile.models.map((model) => catalogModelSchema.parse(model))
const embeddings = parsed.filter(makesEmbeddings)
const rated = new Map(
  parsed
    .filter((model) => !makesEmbeddings(model))
    .map(({ id, weights, rating }) => [weights ?? id, rating]),
)
/** Models that no source of ratings has. */
const unrated = [
  'claude-haiku-5-5',
  'claude-sonnet-5-5',
  'codestral-2508',
  'gpt-6-luna',
  'gpt-6.1-sol',
  'nova-2-lite',
  'nova-lite',
  'nova-micro',
  'nova-pro',
]
/** Models that are newer than the pinned collection of prices. */
const priced = ['anthropic:claude-sonnet-5-5', 'anthropic:claude-haiku-5-5', 'openai:gpt-6.1-sol']
const pointsOf = (weights: string) => rated.get(weights)?.points ?? Number.NaN

test('LMArena or LiveBench rates at least 75 of the models, each with source, date and effort', () => {
  const measured = [...rated.values()].filter((rating) => rating?.basis === 'measured')

  expect(rated.size).toBe(94)
  expect(measured.length).toBeGreaterThanOrEqual(75)
  for (const rating of measured) {
    expect(rating?.source).toMatch(/^(LMArena \(arena\.ai\), text leaderboard|LiveBench, release) /)
    expect(Date.parse(rating?.asOf ?? '')).toBeLessThanOrEqual(Date.now())
    expect(rating).toHaveProperty('effort')
  }
})

test('every other model is marked: a sibling names its model, and an unknown one has no rating', () => {
  const others = [...rated].filter(([, rating]) => rating?.basis !== 'measured')

  expect(others.map(([weights]) => weights).toSorted()).toEqual([
    'claude-haiku-5-5',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'codestral-2508',
    'glm-5.3',
    'gpt-6-luna',
    'gpt-6.1-sol',
    'ministral-14b-2512',
    'ministral-3b-2512',
    'ministral-8b-2512',
    'mistral-small-2603',
    ...unrated.filter((weights) => weights.startsWith('nova')),
    'smollm2-135m',
  ])
  for (const weights of unrated) expect(rated.get(weights)).toBeNull()
  for (const rating of others.flatMap(([, found]) => found ?? [])) {
    expect(rating).toMatchObject({ strength: 5, basis: 'sibling' })
    expect(rating.source).toMatch(/^that of /)
  }
})

test('ratings order models as their makers do', () => {
  const orders = [
    ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-4-5', 'gpt-5.4-mini', 'gpt-5.4-nano'],
    ['gpt-5.4-nano', 'gpt-oss-20b', 'llama-3.1-8b', 'smollm2-135m'],
    ['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna'],
    ['gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano'],
    ['gpt-5', 'gpt-5-mini', 'gpt-5-nano'],
    ['gpt-oss-120b', 'gpt-oss-20b'],
    ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-v3.2'],
    ['llama-3.1-405b', 'llama-3.1-70b', 'llama-3.1-8b'],
    ['ministral-14b-2512', 'ministral-8b-2512', 'ministral-3b-2512'],
  ]
  for (const order of orders) {
    const points = order.map(pointsOf)
    expect(points).toEqual(points.toSorted((a, b) => b - a))
  }
})

test('the same weights have the same rating at every provider', () => {
  const direct = modelWithId('openai:gpt-4.1')

  expect(modelWithId('openrouter:openai/gpt-4.1')?.rating).toEqual(direct?.rating)
  expect(direct?.rating?.effort).toBeNull()
})

test.each(catalogFile.models)('$id has at most three efforts, one of them its default', (model) => {
  const { rating, efforts } = catalogModelSchema.parse(model)
  const names = efforts.map(({ effort }) => effort)

  expect(new Set(names).size).toBe(names.length)
  expect(names.length).not.toBe(1)
  const ofDefault = efforts
    .filter(({ effort }) => effort === rating?.effort)
    .map(({ points, outputRatio }) => ({ points, outputRatio }))
  const { points, outputRatio } = rating ?? {}
  expect(ofDefault).toEqual(efforts.length === 0 ? [] : [{ points, outputRatio }])
})

test('the models of the catalogue are those that are looked up in the sources, and no others', () => {
  const listed = Object.keys(ratedModels)

  const unlisted = [...rated.keys()].filter((weights) => !listed.includes(weights))
  expect(unlisted.toSorted()).toEqual(unrated)
  expect(listed.filter((weights) => !rated.has(weights))).toEqual([])
})

test('the catalogue has the ratings of the ratings file', () => {
  const ratings = ratingsSchema.parse(ratingsFile)

  for (const { id, weights, rating, efforts } of parsed) {
    const derived = ratings[weights ?? id] ?? { rating: null, efforts: [] }
    expect({ rating, efforts }).toEqual(derived)
  }
})

test.each(embeddings)(
  '$id has vectors with their length and source, and no price of output',
  (model) => {
    const { embedding, weights, rating, outputUsdPerMtok, inputUsdPerMtok } = model

    expect(embedding).toMatchObject({ dimensions: expect.any(Number) as number })
    expect([weights === null, rating, outputUsdPerMtok]).toEqual([false, null, 0])
    expect(inputUsdPerMtok).toBeGreaterThan(0)
  },
)

test('the same weights have the same vectors at every provider', () => {
  const byWeights = new Map(embeddings.map(({ weights, embedding }) => [weights, embedding]))

  for (const { weights, embedding } of embeddings) expect(embedding).toEqual(byWeights.get(weights))
  expect(byWeights.size).toBeLessThan(embeddings.length)
})

test('has the built-in local model, free of charge', () => {
  expect(modelWithId(`local:${localModelName}`)).toMatchObject({
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: 4096,
  })
})

test('was built from the pinned package versions', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const { devDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const name = '@pydantic/genai-prices'

  expect(modelWithId('openai:gpt-4o')?.source).toBe(`${name} ${devDependencies[name]} (MIT)`)
})

test('reading the pinned collection as a download changes nothing', () => {
  const types = [...new Set(ids.map((id) => id.slice(0, id.indexOf(':'))))]
  const providers = types.flatMap((type) => findProvider({ providerId: type }) ?? [])
  const published = {
    prices: readGenaiPrices(providers, { asOf: catalogFile.asOf, dayStartMs: Date.parse }),
    models: readModelsDev({}),
    types,
    asOf: catalogFile.asOf,
  }
  const updated = updateModels(catalog.models(), published)

  expect(providers.length).toBeGreaterThan(8)
  // Of most embeddings, the collection has no price of output and therefore no offer.
  const isPinned = (id: string) => !priced.includes(id)
  const chats = updated.filter((model) => !makesEmbeddings(model) && isPinned(model.id))
  const downloaded = chats.filter(({ source }) => source.endsWith('downloaded'))
  expect(downloaded.length).toBe(chats.length - 1)
  expect(
    catalogChanges(catalog.models(), updated).filter(({ modelId }) => isPinned(modelId)),
  ).toEqual([])
})
