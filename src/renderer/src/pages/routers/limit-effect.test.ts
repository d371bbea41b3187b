import { expect, test } from 'vitest'
import {
  dailyBudgetEffect,
  dailyLimitEffect,
  minuteLimitEffect,
  monthlyBudgetEffect,
  type UseOfPeriod,
} from './limit-effect.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 2, 12)

/** The last day is today. */
function days(...uses: readonly [requests: number, costUsd: number][]): UseOfPeriod[] {
  const todayMs = nowMs - (nowMs % dayMs)
  return uses.map(([requests, costUsd], index) => ({
    startMs: todayMs - (uses.length - 1 - index) * dayMs,
    requests,
    costUsd,
  }))
}

const month = days([100, 1], [250, 4], [300, 2], [50, 0.5])

test('without a limit the busiest day is named, so that a limit can be chosen', () => {
  const text = 'Busiest day of the last 31 days: 300 requests.'
  expect(dailyLimitEffect(month, null)).toEqual({ text, isRefusing: false })
  expect(dailyLimitEffect(month, 300)).toEqual({ text, isRefusing: false })
})

test('a limit that is too low names the requests that it would have refused', () => {
  expect(dailyLimitEffect(month, 200)).toEqual({
    text: 'Would have refused 150 requests in 2 days of the last 31 days.',
    isRefusing: true,
  })
  expect(minuteLimitEffect(days([3, 0], [1, 0]), 2)).toEqual({
    text: 'Would have refused 1 request in 1 minute of the last 24 hours.',
    isRefusing: true,
  })
})

test('a daily budget names the days on which it would have been used up', () => {
  expect(dailyBudgetEffect(month, 5)?.text).toBe('Highest spend of the last 31 days: $4.00.')
  expect(dailyBudgetEffect(month, 1.5)).toEqual({
    text: 'Would have been used up on 2 days of the last 31 days.',
    isRefusing: true,
  })
})

test('a monthly budget counts from the first of the month', () => {
  expect(monthlyBudgetEffect(month, null, nowMs)?.text).toBe('Spent this month: $2.50.')
  expect(monthlyBudgetEffect(month, 2, nowMs)).toEqual({
    text: 'Already used up this month: $2.50.',
    isRefusing: true,
  })
})

test('without requests, and for text that is no number, nothing is refused', () => {
  expect(dailyLimitEffect([], 1)).toBeNull()
  expect(dailyLimitEffect(month, Number.NaN)?.isRefusing).toBe(false)
})
