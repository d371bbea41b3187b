/** A stored catalogue of an earlier version. */
import { expect, test } from 'vitest'
import { downloadedCatalogSchema, loadCatalog } from './catalog.ts'

function earlierFile() {
  const { weights, rating, efforts, speed, speedSource, ...facts } =
    loadCatalog()
      .models()
      .find(({ id }) => id === 'openai:gpt-5.4') ?? {}
  const proxies = {
    quality: 0.907,
    qualityStrength: 5,
    qualitySource: { source: 'a benchmark', asOf: '2025-08-23' },
    qualityByDomain: {},
  }
  const model = { ...facts, ...proxies, pace: speed, paceSource: speedSource }
  return {
    current: { rating, efforts, weights, speed },
    file: [model, { ...model, id: 'openai:new' }],
  }
}

test('a file of an earlier version takes the ratings that came with the program', () => {
  const { current, file } = earlierFile()
  const catalog = loadCatalog()

  catalog.use(downloadedCatalogSchema.parse({ formatVersion: 1, asOf: '2026-11-21', models: file }))

  // The models that are not in the file are those of the program.
  const models = loadCatalog().models().length + 1
  expect(catalog.state()).toMatchObject({ origin: 'downloaded', models })
  expect(catalog.models()[0]).toMatchObject(current)
  expect(catalog.models()[0]).not.toHaveProperty('quality')
  expect(catalog.models()[1]).toMatchObject({ rating: null, efforts: [], weights: null })
})

test('a model without the fields of any version is refused', () => {
  const { file } = earlierFile()
  const models = [{ ...file[0], contextTokens: undefined }]

  expect(
    downloadedCatalogSchema.safeParse({ formatVersion: 1, asOf: '2026-11-21', models }).success,
  ).toBe(false)
})
