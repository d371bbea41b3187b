import { expect, test } from 'vitest'
import type { Model } from '../../../../shared/entities.ts'
import { demoModel } from '../../../../shared/models/provider-type.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { startOfNewRouter } from './router-presets.ts'

function model(id: string): Model {
  const [any] = usedScene().models
  if (!any) throw new Error('the scene has no models')
  return { ...any, id }
}

test.each([
  [{ preset: 'greenest' }, { name: 'Greenest', strategy: 'carbon_optimized', models: ['p:a'] }],
  [{ models: 'q:x,q:y' }, { name: '', strategy: 'cost_optimized', models: ['q:x', 'q:y'] }],
  [
    { preset: 'fastest', models: 'q:x' },
    { name: 'Fastest', models: ['q:x'] },
  ],
  [{}, { name: '', models: [] }],
])('the address %j begins with %j', (search, start) => {
  expect(startOfNewRouter(search, [model('p:a')])).toMatchObject(start)
})

test('a preset leaves the demo out, unless there is no other model', () => {
  const start = (...ids: string[]) =>
    startOfNewRouter({ preset: 'cheapest' }, ids.map(model)).models
  expect(start(demoModel.id, 'p:a')).toEqual(['p:a'])
  expect(start(demoModel.id)).toEqual([demoModel.id])
})
