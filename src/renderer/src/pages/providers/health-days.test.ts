import { expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../../../shared/entities.ts'
import { reportOf } from '../../../../../test/renderer-harness/fake-usage.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { formatDay } from '../../../../shared/format.ts'
import { bucketStarts, rangeAt } from '../../usage/range.ts'
import { dateOf, dayWords, healthOf } from './health-days.ts'

vi.hoisted(() => {
  vi.stubEnv('TZ', 'Europe/Berlin')
})

const range = rangeAt('30d', Date.now())
const lastDayMs = range.toMs - range.bucketMs

function requestsOf(changes: readonly Partial<RequestRecord>[]): RequestRecord[] {
  const [sample] = usedScene().requests
  if (!sample) throw new Error('the scene has no request')
  const usual = { ...sample, status: 200, fallbackFrom: null, costNanoUsd: 5e8 }
  return changes.map((change) => ({
    ...usual,
    modelUsed: 'openai:gpt-5',
    startedAtMs: lastDayMs + 1000,
    ...change,
  }))
}

function health(changes: readonly Partial<RequestRecord>[]) {
  const { fromMs, toMs, bucketMs, offsetMs } = range
  const query = { fromMs, toMs, bucketMs, offsetMs, group: 'provider' as const }
  return healthOf('openai', { report: reportOf(requestsOf(changes), query), range })
}

test('answers, answers in place of another model and failures are counted by day', () => {
  const { days, words, todayCostUsd, todayRequests } = health([
    {},
    { fallbackFrom: 'groq:llama' },
    { status: 502 },
    { startedAtMs: lastDayMs - 1000 },
    { modelUsed: 'groq:llama', status: 502 },
  ])

  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ answered: 1, fallbacks: 1, failed: 1 })
  expect(days.at(-2)).toMatchObject({ answered: 1, fallbacks: 0, failed: 0 })
  expect(words).toBe('4 requests in 30 days, 25 % failed, 25 % as fallback')
  expect([todayCostUsd, todayRequests]).toEqual([1.5, 3])
})

test('a request that the caller ended says nothing about the provider', () => {
  expect(health([{ status: 499 }, { status: 400 }]).words).toBe('No requests in 30 days')
})

test('one failure in many is not rounded to none', () => {
  const many = [...Array.from({ length: 2000 }, () => ({})), { status: 500 }]
  const { words, days } = health(many)

  expect(words).toBe('2,001 requests in 30 days, less than 0.1 % failed')
  expect(dayWords(days[0] ?? { startMs: 0, answered: 1, fallbacks: 0, failed: 0 })).toMatch(
    /: no requests$/,
  )
})

test('days before the clocks go forward keep their date', () => {
  const [startMs = 0] = bucketStarts(rangeAt('30d', new Date(2026, 3, 5, 12).getTime()))
  const date = formatDay(new Date(2026, 2, 7, 12).getTime())
  expect(dateOf({ startMs })).toBe(date)
  expect(dayWords({ startMs, answered: 0, fallbacks: 0, failed: 0 })).toBe(`${date}: no requests`)
})
