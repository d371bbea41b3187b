import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { findProvider } from '@pydantic/genai-prices'
import { expect, test } from 'vitest'
import catalogFile from '../resources/catalog.json' with { type: 'json' }
import {
  catalogApiSchema,
  catalogModelSchema,
  loadCatalog,
} from '../src/service/catalog/catalog.ts'
import { readGenaiPrices } from '../src/service/catalog/sources/genai-prices.ts'
import { readModelsDev } from '../src/service/catalog/sources/models-dev.ts'
import { catalogChanges, updateModels } from '../src/service/catalog/update.ts'
import { localModelName } from '../src/service/local/local-model.ts'
import { findProviderType } from '../src/service/providers/index.ts'

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
    known.quality !== null && (known.qualitySource ?? known.qualityStrength) === null,
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

test('most models have a quality, and unmeasured models have none', () => {
  const { models } = catalogFile
  const known = models.filter(({ quality }) => quality !== null)

  expect(known.length / models.length).toBeGreaterThan(0.8)
  expect(modelWithId('mistral:ministral-8b-2512')).toMatchObject({
    quality: null,
    qualityStrength: null,
    qualitySource: null,
  })
})

test('a quality names its source: the fit or a sibling model', () => {
  const quality = (id: string) => modelWithId(id)?.quality
  const ofSolved = (p: number) => 1 / (1 + Math.exp(-(1.86 + 0.209 * Math.log(p / (1 - p)))))

  expect(quality('openai:gpt-4.1')).toBeCloseTo(ofSolved(0.524), 3)
  expect(quality('openrouter:openai/gpt-4.1')).toBe(quality('openai:gpt-4.1'))
  expect(quality('openai:gpt-5.6-terra')).toBeCloseTo(ofSolved(0.88) - 0.03, 3)
  expect(modelWithId('openai:gpt-5.6-terra')?.qualitySource?.source).toMatch(/^that of gpt-5 less/)
})

test('has the built-in local model, free of charge', () => {
  expect(modelWithId(`local:${localModelName}`)).toMatchObject({
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: 4096,
  })
})

test('was built from the pinned package versions', async () => {
  const root = path.resolve(import.meta.dirname, '..')
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
  expect(updated.filter(({ source }) => source.endsWith('downloaded')).length).toBe(ids.length - 1)
  expect(catalogChanges(catalog.models(), updated)).toEqual([])
})
