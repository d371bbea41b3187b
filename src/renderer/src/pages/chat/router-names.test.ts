import { expect, test } from 'vitest'
import { routerNames } from './router-names.ts'

const routers = [
  { id: 'router_a', name: 'Local' },
  { id: 'router_b', name: 'Cheapest' },
]

test('answers of different routers are named by their router, also when it was deleted', () => {
  const answers = [
    { id: '1', routerId: 'router_b' },
    { id: '2', routerId: 'router_gone' },
  ]
  expect([...(routerNames(answers, routers) ?? [])]).toEqual([
    ['1', 'Cheapest'],
    ['2', 'Deleted router'],
  ])
})

test('answers of one router have no router names', () => {
  const answers = [
    { id: '1', routerId: 'router_a' },
    { id: '2', routerId: 'router_a' },
  ]
  expect(routerNames(answers, routers)).toBeNull()
})
