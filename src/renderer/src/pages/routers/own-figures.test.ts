import { expect, test } from 'vitest'
import type { Model } from '../../../../shared/entities.ts'
import type { ModelRating } from '../../../../shared/models/model-facts.ts'
import { ownFigures } from './own-figures.ts'

const rating: ModelRating = {
  effort: null,
  points: 1344,
  halfWidth: 8,
  strength: 25,
  offsets: {},
  outputRatio: 1,
  source: 'example',
  asOf: '2026-07-14',
  basis: 'measured',
}
const model: Model = {
  id: 'openai:gpt',
  providerId: 'openai',
  inputUsdPerMtok: 1,
  outputUsdPerMtok: 2,
  cacheReadUsdPerMtok: null,
  cacheWriteUsdPerMtok: null,
  priceTiers: [],
  timedPrices: [],
  contextTokens: 1_000,
  maxOutputTokens: 100,
  capabilities: ['tools'],
  quality: 0.8,
  rating,
  efforts: [],
  energyWhPerKtok: null,
  size: null,
  speed: null,
  region: 'USA',
  parameters: { refuses: [], samplesWithoutReasoning: false, sendsTemperature: false },
  priceSource: { kind: 'catalog', source: 'example', asOf: '2026-11-01' },
}

test('the catalogue’s quality and region do not become the user’s own', () => {
  expect(ownFigures(model)).toEqual({ capabilities: ['tools'], maxOutputTokens: 100 })
})

test('the user’s earlier figures are kept with the new price, and nothing else', () => {
  const own: Model = {
    ...model,
    priceSource: { kind: 'user' },
    energyWhPerKtok: 2,
    parameters: { ...model.parameters, refuses: ['seed'] },
  }

  expect(ownFigures(own)).not.toHaveProperty('quality')
  expect(ownFigures({ ...own, rating: { ...rating, basis: 'user' } })).toMatchObject({
    quality: 0.8,
    energyWhPerKtok: 2,
    region: 'USA',
    refuses: ['seed'],
  })
})
