import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import catalogFile from '../resources/catalog.json' with { type: 'json' }
import { catalogModelSchema, loadCatalog } from '../src/service/catalog/catalog.ts'
import { localModelName } from '../src/service/local/local-model.ts'
import { findProviderType } from '../src/service/providers/index.ts'

const catalog = loadCatalog()

test('knows every model of the file once', () => {
  expect(catalog.size).toBe(catalogFile.models.length)
})

test.each(catalogFile.models)('$id has a price with its source and date', (model) => {
  const { priceSource } = catalogModelSchema.parse(model)

  expect(priceSource.source).not.toBe('')
  expect(Date.parse(priceSource.asOf)).toBeLessThanOrEqual(Date.now())
})

test.each(catalogFile.models)('$id names a source for each thing it claims', (model) => {
  const { capabilities, capabilitySource, energyWhPerKtok, energySource } =
    catalogModelSchema.parse(model)
  const unsourced = [
    capabilities.length > 0 && capabilitySource === null,
    energyWhPerKtok !== null && energySource === null,
  ]
  expect(unsourced).toEqual([false, false])
})

test.each(catalogFile.models)('$id belongs to a provider type of the registry', ({ id }) => {
  expect(findProviderType(id.slice(0, id.indexOf(':')))).toBeDefined()
})

test('has the built-in local model, free of charge', () => {
  expect(catalog.get(`local:${localModelName}`)).toMatchObject({
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: 8192,
  })
})

test('was built from the package versions that are pinned', async () => {
  const root = path.resolve(import.meta.dirname, '..')
  const { devDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  const name = '@pydantic/genai-prices'

  expect(catalog.get('openai:gpt-4o')?.priceSource.source).toBe(
    `${name} ${devDependencies[name]} (MIT)`,
  )
})
