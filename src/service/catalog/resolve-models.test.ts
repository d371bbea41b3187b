/** The facts about a model, from the catalogue, the provider's own list and the user. */
import { expect, test } from 'vitest'
import type { Capability } from '../../shared/models/model-abilities.ts'
import { qualityOfPoints } from '../../shared/models/quality-scale.ts'
import type { Catalog, CatalogModel } from './catalog.ts'
import { resolveModels, type ModelSources } from './resolve-models.ts'

const row = {
  inputUsdPerMtok: 4,
  outputUsdPerMtok: 16,
  cacheReadUsdPerMtok: 1,
  cacheWriteUsdPerMtok: 5,
}
const known: CatalogModel = {
  id: 'openai:gpt',
  aliases: ['gpt-2026-01-31'],
  inputUsdPerMtok: 2,
  outputUsdPerMtok: 8,
  cacheReadUsdPerMtok: 0.5,
  cacheWriteUsdPerMtok: 2.5,
  tiers: [{ ...row, fromPromptTokens: 200_000 }],
  timed: [{ ...row, startsAtMs: null, hoursUtc: { from: '01:00', until: '04:00' }, tiers: [] }],
  source: 'https://example.com/prices',
  asOf: '2026-11-01',
  contextTokens: 128_000,
  maxOutputTokens: 16_000,
  capabilities: ['tools', 'vision'],
  capabilitySource: null,
  weights: 'gpt',
  rating: {
    effort: 'none',
    points: 1400,
    halfWidth: 20,
    strength: 25,
    offsets: { code_writing: 0.2 },
    outputRatio: 3,
    source: 'example',
    asOf: '2026-07-14',
    basis: 'measured',
  },
  efforts: [],
  energyWhPerKtok: null,
  energySource: null,
  size: { activeBillions: [44, 132], totalBillions: [440, 440] },
  sizeSource: null,
  speed: { firstTokenMs: 520, msPerToken: 26 },
  speedSource: null,
  refuses: ['top_p'],
  samplesWithoutReasoning: true,
  refusesSource: null,
  region: 'USA',
}
const catalog: Catalog = {
  habitsOf: (type) => (type === 'odd' ? { refuses: ['seed'], sendsTemperature: true } : null),
  modelsOf: (type) => (type === 'openai' ? [known] : []),
}

function resolve(
  given: Partial<ModelSources> = {},
  capabilitiesLost: Parameters<typeof resolveModels>[2] = () => [],
) {
  const providers = new Map([['openai', { id: 'openai', type: 'openai', options: {} }]])
  const sources = { providers, models: new Map(), listedModels: {}, ...given }
  return resolveModels(catalog, sources, capabilitiesLost)
}

const user = { id: 'openai:gpt', inputUsdPerMtok: 1, outputUsdPerMtok: 1, contextTokens: 1_000 }

test('a model of the catalogue comes with its price, its source and its date', () => {
  expect(resolve().get('openai:gpt')).toMatchObject({
    providerId: 'openai',
    inputUsdPerMtok: 2,
    cacheReadUsdPerMtok: 0.5,
    cacheWriteUsdPerMtok: 2.5,
    capabilities: ['tools', 'vision'],
    size: { activeBillions: [44, 132], totalBillions: [440, 440] },
    speed: { firstTokenMs: 520, msPerToken: 26 },
    priceSource: { kind: 'catalog', source: 'https://example.com/prices', asOf: '2026-11-01' },
  })
})

test('a provider under another name has the catalogue’s models of its type', () => {
  const providers = new Map([['work', { id: 'work', type: 'openai', options: {} }]])

  expect([...resolve({ providers }).keys()]).toEqual(['work:gpt'])
})

test('without a provider there is no model, even with figures from the user', () => {
  const models = new Map([['openai:gpt', user]])

  expect(resolve({ providers: new Map(), models }).size).toBe(0)
})

test('a listed model without catalogue or user figures has no price', () => {
  const model = resolve({ listedModels: { openai: ['gpt', 'new/model:free'] } }).get(
    'openai:new/model:free',
  )

  expect(model).toMatchObject({ inputUsdPerMtok: null, capabilities: [], priceSource: null })
})

test('a dated snapshot that the provider lists is the catalogue’s model', () => {
  const models = resolve({ listedModels: { openai: ['gpt-2026-01-31'] } })

  expect(models.get('openai:gpt-2026-01-31')).toMatchObject({
    inputUsdPerMtok: 2,
    cacheReadUsdPerMtok: 0.5,
    capabilities: ['tools', 'vision'],
  })
  expect(resolve().has('openai:gpt-2026-01-31')).toBe(false)
})

test('the provider’s list removes no facts of the catalogue', () => {
  expect(resolve({ listedModels: { openai: ['gpt'] } }).get('openai:gpt')?.inputUsdPerMtok).toBe(2)
})

test('the user’s figures override the catalogue’s, which stay for the rest', () => {
  expect(resolve({ models: new Map([['openai:gpt', user]]) }).get('openai:gpt')).toMatchObject({
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 1_000,
    maxOutputTokens: 16_000,
    capabilities: ['tools', 'vision'],
    region: 'USA',
    priceSource: { kind: 'user' },
  })
})

test('with the user’s price cached tokens cost as input, and every prompt length the same', () => {
  const model = resolve({ models: new Map([['openai:gpt', user]]) }).get('openai:gpt')

  expect(resolve().get('openai:gpt')?.priceTiers).toHaveLength(1)
  expect(model).toMatchObject({ priceTiers: [], timedPrices: [] })

  expect(model?.cacheReadUsdPerMtok).toBeNull()
  expect(model?.cacheWriteUsdPerMtok).toBeNull()
  expect(model?.cacheWrite1hUsdPerMtok).toBeNull()
})

test('the user can add a model that no list has', () => {
  const models = new Map([['openai:mine', { ...user, id: 'openai:mine', quality: 0.7 }]])

  expect(resolve({ models }).get('openai:mine')).toMatchObject({ quality: 0.7, region: null })
})

test('a rated model has the quality of an ordinary prompt', () => {
  expect(resolve().get('openai:gpt')).toMatchObject({
    quality: qualityOfPoints(1400),
    rating: known.rating,
  })
})

test('the user’s quality replaces the rating for all kinds of prompts, and keeps the length', () => {
  const models = new Map([['openai:gpt', { ...user, quality: 0.5 }]])
  const model = resolve({ models }).get('openai:gpt')

  expect(model).toMatchObject({ quality: 0.5, efforts: [] })
  expect(model?.rating).toMatchObject({ strength: 25, offsets: {}, basis: 'user', outputRatio: 3 })
  expect(qualityOfPoints(model?.rating?.points ?? 0)).toBeCloseTo(0.5, 2)
})

test('a model’s refused parameters come from the catalogue, unless the user sets them', () => {
  const models = new Map([['openai:gpt', { ...user, refuses: ['temperature' as const] }]])
  const nothing = new Map([['openai:gpt', { ...user, refuses: [] }]])
  const rulesOf = (given: Partial<ModelSources>) => resolve(given).get('openai:gpt')?.parameters

  expect(rulesOf({})).toMatchObject({ refuses: ['top_p'], samplesWithoutReasoning: true })
  expect(rulesOf({ models: new Map([['openai:gpt', user]]) })?.refuses).toEqual(['top_p'])
  expect(rulesOf({ models })).toMatchObject({
    refuses: ['temperature'],
    samplesWithoutReasoning: false,
  })
  expect(rulesOf({ models: nothing })?.refuses).toEqual([])
})

test('parameters that a whole API refuses are also refused for unknown models', () => {
  const providers = new Map([['odd', { id: 'odd', type: 'odd', options: {} }]])
  const listedModels = { odd: ['new'] }

  expect(resolve({ providers, listedModels }).get('odd:new')?.parameters).toEqual({
    refuses: ['seed'],
    samplesWithoutReasoning: false,
    sendsTemperature: true,
  })
})

test('a model whose refused parameters the user sets still gets a temperature', () => {
  const providers = new Map([['odd', { id: 'odd', type: 'odd', options: {} }]])
  const models = new Map([['odd:own', { ...user, id: 'odd:own', refuses: ['top_p' as const] }]])

  expect(resolve({ providers, models }).get('odd:own')?.parameters).toMatchObject({
    refuses: ['top_p'],
    sendsTemperature: true,
  })
})

test.each([
  ['odd:new', true],
  ['openai-compatible:llama-3', true],
  ['openai-compatible:openai/gpt-oss-20b', true],
  ['openai-compatible:openai/gpt-5', false],
  ['openai-compatible:us.anthropic.claude-opus-5', false],
  ['openai-compatible:google/gemini-3-pro', false],
  ['openai-compatible:chatgpt-4o-latest', false],
  ['openai-compatible:o3', false],
])('an absent temperature is sent to %s: %s', (id, sendsTemperature) => {
  const [type = '', name = ''] = id.split(':')
  const providers = new Map([[type, { id: type, type, options: {} }]])

  const resolved = resolve({ providers, listedModels: { [type]: [name] } })

  expect(resolved.get(id)?.parameters.sendsTemperature).toBe(sendsTemperature)
})

test('a wire’s models lose what it cannot carry, even if the user says that they can', () => {
  const lost = ({ type }: { type: string }): readonly Capability[] =>
    type === 'openai' ? ['vision', 'n'] : []
  const models = new Map([
    ['openai:own', { ...user, id: 'openai:own', capabilities: ['n' as const] }],
  ])

  const resolved = resolve({ models }, lost)

  expect(resolved.get('openai:gpt')?.capabilities).toEqual(['tools'])
  expect(resolved.get('openai:own')?.capabilities).toEqual([])
})
