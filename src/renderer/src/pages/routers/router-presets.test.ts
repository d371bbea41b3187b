import { expect, test } from 'vitest'
import type { Model } from '../../../../shared/entities.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { startOfNewRouter, suggestedModels } from './router-presets.ts'

function model(id: string, usd: number | null, quality: number | null): Model {
  const [any] = usedScene().models
  if (!any) throw new Error('the scene has no models')
  const providerId = id.slice(0, id.indexOf(':'))
  return { ...any, id, providerId, quality, inputUsdPerMtok: usd, outputUsdPerMtok: usd }
}

test('a preset has the best, the cheapest and the best cheaper model of a provider, best first', () => {
  const models = [
    model('p:dear', 10, 0.9),
    model('p:middling', 3, 0.8),
    model('p:value', 2, 0.85),
    model('p:cheap', 1, 0.5),
    model('p:unpriced', null, 0.95),
  ]
  expect(suggestedModels(models)).toEqual(['p:dear', 'p:value', 'p:cheap'])
})

test('models that are not rated are left out while others are', () => {
  const models = [model('p:rated', 1, 0.8), model('q:unrated', 0, null)]
  expect(suggestedModels(models)).toEqual(['p:rated'])
  expect(suggestedModels([model('q:unrated', 0, null)])).toEqual(['q:unrated'])
})

test('with many providers a preset has at most six models', () => {
  const models = Array.from({ length: 9 }, (_, at) => model(`p${at}:m`, 1, 0.5 + at / 100))
  expect(suggestedModels(models)).toEqual(['p8:m', 'p7:m', 'p6:m', 'p5:m', 'p4:m', 'p3:m'])
})

test.each([
  [{ preset: 'greenest' }, { name: 'Greenest', strategy: 'carbon_optimized', models: ['p:a'] }],
  [{ models: 'q:x,q:y' }, { name: '', strategy: 'cost_optimized', models: ['q:x', 'q:y'] }],
  [
    { preset: 'fastest', models: 'q:x' },
    { name: 'Fastest', models: ['q:x'] },
  ],
  [{}, { name: '', models: [] }],
])('the address %j begins with %j', (search, start) => {
  expect(startOfNewRouter(search, [model('p:a', 1, 0.8)])).toMatchObject(start)
})
