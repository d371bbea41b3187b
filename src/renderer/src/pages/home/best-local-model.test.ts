import { expect, test } from 'vitest'
import { bestLocalModel } from './best-local-model.ts'

const gib = 1024 ** 3
const model = (name: string, memoryGib: number, over = {}) => ({
  name,
  title: name,
  origin: 'offered' as const,
  sizeBytes: memoryGib * gib,
  memoryBytes: memoryGib * gib,
  isTooLarge: memoryGib > 8,
  state: { kind: 'available' } as const,
  ...over,
})
const demo = model('demo', 0.2, { origin: 'built-in', state: { kind: 'installed' } })

test('the largest model that fits is offered, never the demo', () => {
  const models = [demo, model('small', 1), model('good', 4), model('huge', 40)]
  expect(bestLocalModel(models)?.name).toBe('good')
  expect(bestLocalModel([demo, model('huge', 40)])).toBeUndefined()
})

test('nothing is offered once a model is there or on its way', () => {
  const arriving = model('small', 1, { state: { kind: 'downloading', receivedBytes: 1 } })
  expect(bestLocalModel([demo, arriving, model('good', 4)])).toBeUndefined()
})
