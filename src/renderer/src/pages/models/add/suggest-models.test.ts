import { expect, test } from 'vitest'
import type { Model } from '../../../../../shared/entities.ts'
import { demoModel } from '../../../../../shared/models/provider-type.ts'
import { model, rated } from '../../../../../../test/renderer-harness/model-samples.ts'
import { suggestModels } from './suggest-models.ts'

const ids = (models: readonly Model[]) => suggestModels(models)

test('a model with a cheaper and better alternative is not suggested', () => {
  const models = [
    rated(model('a:best', [10, 40]), 1450),
    rated(model('a:worse-and-dearer', [12, 50]), 1400),
    rated(model('a:cheap', [0.1, 0.4]), 1200),
    rated(model('a:middle', [1, 4]), 1350),
  ]

  expect(ids(models)).toEqual(['a:cheap', 'a:middle', 'a:best'])
})

test('models without a price and models for embeddings are not suggested', () => {
  const models = [
    model('a:unpriced', null),
    { ...model('a:vectors', [0.1, 0]), capabilities: ['embeddings' as const] },
    model('a:chat', [1, 2]),
  ]

  expect(ids(models)).toEqual(['a:chat'])
})

test('at most five models are suggested, the cheapest and the best among them', () => {
  const models = Array.from({ length: 9 }, (_, at) => rated(model(`a:${at}`, [at, at]), 1000 + at))

  expect(ids(models)).toEqual(['a:0', 'a:2', 'a:4', 'a:6', 'a:8'])
})

test('without ratings the first models are suggested', () => {
  const models = Array.from({ length: 3 }, (_, at) => model(`own:${at}`, [0, 0]))

  expect(ids(models)).toEqual(['own:0', 'own:1', 'own:2'])
})

test('the demo is suggested only when there is no other model', () => {
  const demo = rated(model(demoModel.id, [0, 0]), 900)

  expect(ids([demo, rated(model('a:cheap', [1, 2]), 1200)])).toEqual(['a:cheap'])
  expect(ids([demo, model('a:unpriced', null)])).toEqual([demoModel.id])
})
