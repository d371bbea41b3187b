import { expect, test } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { limitUse } from './limit-use.ts'

const router = (() => {
  const [any] = usedScene().routers
  if (!any) throw new Error('the scene has no router')
  return { ...any, tier: 'enterprise' as const, dailyLimit: null }
})()

const used = { costUsd: 3 }

test('a router without limits has no use of them', () => {
  expect(limitUse(router, { countedToday: 50, today: used, month: used })).toBeNull()
})

test('the most used limit is named', () => {
  const limited = { ...router, dailyLimit: 100, budgetUsdPerDay: 5, budgetUsdPerMonth: 40 }
  expect(limitUse(limited, { countedToday: 50, today: used, month: { costUsd: 10 } })).toEqual({
    share: 0.6,
    text: '$3.00 of $5.00 today',
  })
})

test('the requests that count are compared with the daily limit', () => {
  expect(
    limitUse({ ...router, dailyLimit: 100 }, { countedToday: 50, today: used, month: null }),
  ).toEqual({
    share: 0.5,
    text: '50 of 100 requests today',
  })
})

test('a budget of nothing is used up by the first paid request', () => {
  const free = { ...router, budgetUsdPerMonth: 0 }
  expect(limitUse(free, { countedToday: 0, today: null, month: null })?.share).toBe(0)
  expect(limitUse(free, { countedToday: 1, today: null, month: used })?.share).toBe(1)
})
