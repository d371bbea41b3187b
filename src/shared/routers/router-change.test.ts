import { expect, test } from 'vitest'
import { routerInputSchema } from '../entities.ts'
import { fieldChanges } from './router-change.ts'

const input = { name: 'Shop', strategy: 'priority', models: ['a:x', 'a:y'] }
const router = { ...routerInputSchema.parse(input), id: 'r', createdAtMs: 1, updatedAtMs: 1 }

test('a strategy, models, limits and routing settings are named with their values', () => {
  const after = {
    ...router,
    strategy: 'cost_optimized' as const,
    models: ['a:y', 'a:z'],
    requestsPerMinute: 30,
    routing: { ...router.routing, qualityTolerance: 0.1 },
  }
  expect(fieldChanges(router, after)).toEqual([
    { field: 'strategy', from: 'priority', to: 'cost_optimized' },
    { field: 'model', from: null, to: 'a:z' },
    { field: 'model', from: 'a:x', to: null },
    { field: 'requestsPerMinute', from: null, to: '30' },
    { field: 'routing.qualityTolerance', from: null, to: '0.1' },
  ])
})

test('another order of the same models is one change', () => {
  expect(fieldChanges(router, { ...router, models: ['a:y', 'a:x'] })).toEqual([
    { field: 'modelOrder', from: null, to: null },
  ])
})

test('a new name and a save without a change are none', () => {
  expect(fieldChanges(router, { ...router, name: 'Other', updatedAtMs: 9 })).toEqual([])
})
