import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import { setFormatLocale } from '../../../shared/strings/format-locale.ts'
import { formatDay } from '../../../shared/strings/format.ts'
import { rangeAt, type UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { bucketRow } from './chart-text.ts'
import { utcDay } from './limit.ts'
import { timeMarks } from './scales.ts'

// Formatters keep the time zone in which they were created, until the locale changes.
beforeEach(() => setFormatLocale('en-GB'))
afterEach(() => {
  vi.unstubAllEnvs()
  setFormatLocale('en-US')
  formatDay(0)
})

/** The 30 days until noon of a day. @param month  from 0 */
function daysUntil(month: number, day: number): UsageRange {
  vi.stubEnv('TZ', 'Europe/Berlin')
  return rangeAt('30d', new Date(2026, month, day, 12).getTime())
}

const bucketTimes = (range: UsageRange) =>
  bucketsOf(sampleReport([]), range).map((bucket) => bucketRow(bucket, {}, []).cells[0] ?? '')
const labels = (range: UsageRange, most: number) => timeMarks(range, most).map(({ label }) => label)

describe.each([
  // Summer time began on 29 March, and ended on 25 October.
  ['forward', 3, 5, ['7 Mar 2026', '28 Mar 2026', '29 Mar 2026', '30 Mar 2026', '5 Apr 2026']],
  ['back', 10, 1, ['3 Oct 2026', '24 Oct 2026', '25 Oct 2026', '26 Oct 2026', '1 Nov 2026']],
] as const)('in the weeks after the clocks go %s', (_direction, month, day, days) => {
  test('each bucket of a day has its own day, without a time of day', () => {
    const times = bucketTimes(daysUntil(month, day))
    expect([0, 21, 22, 23, 29].map((index) => times[index])).toEqual(days)
    expect(new Set(times).size).toBe(30)
  })

  test('the marks of an axis name the days of their bars', () => {
    const range = daysUntil(month, day)
    const shortDays = bucketTimes(range).map((time) => time.replace(' 2026', ''))
    expect(labels(range, 30)).toEqual(shortDays)
  })

  test('midnight has its day on an axis of hours, too', () => {
    const range = daysUntil(month, day)
    const marks = labels({ ...range, toMs: range.fromMs + 2 * range.bucketMs }, 8)
    const firstDays = bucketTimes(range).slice(0, 2)
    expect([marks[0], marks[4]].map((mark) => `${mark} 2026`)).toEqual(firstDays)
  })
})

test('a bucket of less than a day has its time', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const range = rangeAt('7d', new Date(2026, 2, 31, 12).getTime())
  const [first] = bucketsOf(sampleReport([]), range)
  if (!first) throw new Error('the range has no bucket')
  expect(bucketRow(first, {}, []).cells).toEqual(['24 Mar 2026, 14:00'])
})

test('the day of a daily limit, which begins at 0:00 UTC, is named in Auckland, where that is in the afternoon', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  const fromMs = Date.UTC(2026, 0, 12)
  const [first] = labels(utcDay(fromMs), 6)
  expect(first).toBe('12 Jan')
})
