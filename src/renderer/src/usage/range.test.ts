import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bucketStarts, periodBefore, rangeAt, rangeBetween, timesOf } from './range.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nowMs = Date.UTC(2026, 10, 22, 16, 17, 30)

beforeEach(() => vi.stubEnv('TZ', 'Asia/Kolkata'))
afterEach(() => vi.unstubAllEnvs())

test.each([
  ['1h', 60, 60_000],
  ['24h', 48, 30 * 60_000],
  ['7d', 56, 3 * hourMs],
  ['30d', 30, dayMs],
] as const)('%s has %i buckets that contain now', (name, count, bucketMs) => {
  const range = rangeAt(name, nowMs)
  expect(range.bucketMs).toBe(bucketMs)
  expect(bucketStarts(range)).toHaveLength(count)
  expect(range.toMs).toBeGreaterThan(nowMs)
  expect(range.toMs - nowMs).toBeLessThanOrEqual(bucketMs)
})

test('days begin at local midnight', () => {
  const { fromMs, toMs, offsetMs } = rangeAt('30d', nowMs)
  expect(offsetMs).toBe(5.5 * hourMs)
  for (const atMs of [fromMs, toMs]) {
    const local = new Date(atMs)
    expect([local.getHours(), local.getMinutes()]).toEqual([0, 0])
  }
})

test('a range stays the same while its bucket lasts', () => {
  expect(rangeAt('24h', nowMs + 60_000)).toEqual(rangeAt('24h', nowMs))
  expect(rangeAt('24h', nowMs + 30 * 60_000).toMs).toBe(rangeAt('24h', nowMs).toMs + 30 * 60_000)
})

test('the range of everything contains the first request, in at most 120 buckets', () => {
  for (const ageMs of [0, 1000, hourMs, 5 * dayMs, 118 * dayMs, 119 * dayMs, 4000 * dayMs]) {
    const firstMs = nowMs - ageMs
    const range = rangeAt('all', nowMs, firstMs)
    expect(range.fromMs).toBeLessThanOrEqual(firstMs)
    expect(range.toMs).toBeGreaterThan(nowMs)
    expect(bucketStarts(range).length).toBeLessThanOrEqual(120)
  }
})

test('the period before ends where the range begins and is as long', () => {
  for (const name of ['1h', '24h', '7d', '30d'] as const) {
    const range = rangeAt(name, nowMs)
    const fromMs = 2 * range.fromMs - range.toMs
    expect(periodBefore(range)).toEqual({ fromMs, toMs: range.fromMs })
  }
  expect(periodBefore(rangeAt('all', nowMs, nowMs - dayMs))).toBeNull()
})

test('all of an unknown time is the last 30 days', () => {
  const { fromMs, toMs, bucketMs } = rangeAt('all', nowMs, null)
  expect(fromMs).toBeLessThanOrEqual(nowMs - 30 * dayMs)
  expect((toMs - fromMs) / bucketMs).toBe(31)
})

test('a chosen time is drawn in whole buckets, and only its own requests are counted', () => {
  const chosen = { fromMs: Date.UTC(2025, 0, 1), toMs: Date.UTC(2026, 0, 1) }
  const range = rangeBetween(chosen.fromMs, chosen.toMs)
  expect(range.bucketMs).toBe(7 * dayMs)
  expect(range.fromMs).toBeLessThan(chosen.fromMs)
  expect(timesOf(range)).toEqual(chosen)
  const { fromMs, toMs } = rangeAt('24h', nowMs)
  expect(timesOf(rangeAt('24h', nowMs))).toEqual({ fromMs, toMs })
})
