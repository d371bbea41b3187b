import { expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../../../shared/entities.ts'
import { reportOf } from '../../../../../test/renderer-harness/fake-usage.ts'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { formatDay } from '../../../../shared/strings/format.ts'
import { bucketStarts, rangeAt } from '../../usage/range.ts'
import { dateOf, dayWords, healthOf, lastAnsweredWords } from './health-days.ts'

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

test('answers by a provider, and answers in place of another model, are counted by day', () => {
  const { days, words, todayCostUsd, todayAnswers } = health([
    {},
    { fallbackFrom: 'groq:llama' },
    { startedAtMs: lastDayMs - 1000 },
    { startedAtMs: lastDayMs - 1000 },
    { modelUsed: 'groq:llama' },
  ])

  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ answered: 1, fallbacks: 1 })
  expect(days.at(-2)).toMatchObject({ answered: 2, fallbacks: 0 })
  expect(words).toBe('4 answers in 30 days for $2.00, 25 % as fallback')
  expect([todayCostUsd, todayAnswers]).toEqual([1, 2])
})

test('an outage, whose requests name no model, is not called health', () => {
  const { words, days } = health([{}, { status: 503, modelUsed: null }])

  expect(words).toBe('1 answer in 30 days for $0.50')
  expect(dayWords(days[0] ?? { startMs: 0, answered: 1, fallbacks: 0 })).toMatch(/: no answers$/)
})

test('a stream that failed or was aborted after its first chunk is no answer', () => {
  const { words, todayAnswers } = health([{ status: 502 }, { status: 499 }])

  expect(words).toBe('No answers in 30 days')
  expect(todayAnswers).toBe(0)
})

test('one fallback in many answers is not rounded to none', () => {
  const { words } = health([
    ...Array.from({ length: 2000 }, () => ({})),
    { fallbackFrom: 'groq:llama' },
  ])
  expect(words).toBe('2,001 answers in 30 days for $1,000.50, less than 0.1 % as fallback')
})

test('days before the clocks go forward keep their date', () => {
  const [startMs = 0] = bucketStarts(rangeAt('30d', new Date(2026, 3, 5, 12).getTime()))
  const date = formatDay(new Date(2026, 2, 7, 12).getTime())
  expect(dateOf({ startMs })).toBe(date)
  expect(dayWords({ startMs, answered: 0, fallbacks: 0 })).toBe(`${date}: no answers`)
})

test('the last answer of the ledger says that a provider works, also before its first test', () => {
  expect(lastAnsweredWords(health([]))).toBeNull()
  expect(lastAnsweredWords(health([{}]))).toBe('last answered today')
  const dayBefore = lastDayMs - 86_400_000
  const words = lastAnsweredWords(health([{ startedAtMs: dayBefore + 43_200_000 }]))
  expect(words).toBe(`last answered ${formatDay(dayBefore + 43_200_000)}`)
})
