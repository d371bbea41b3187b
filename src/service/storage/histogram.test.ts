import { expect, test } from 'vitest'
import {
  addDuration,
  addEncoded,
  addHistogram,
  bucketCount,
  bucketOf,
  countUpTo,
  emptyHistogram,
  encodeHistogram,
  quantileMs,
} from './histogram.ts'

/** Durations like those of requests: log-uniform from 0.1 ms to 10 minutes. */
function drawDurations(count: number): number[] {
  return Array.from({ length: count }, () => 0.1 * 6_000_000 ** Math.random())
}

/** The scale: bucket 0 ends at 1/16 ms, and eight buckets double it. */
const upperBoundMs = (bucket: number) => 2 ** ((bucket - 32) / 8)

function histogramOf(durations: readonly number[]) {
  const histogram = emptyHistogram()
  for (const durationMs of durations) addDuration(histogram, durationMs)
  return histogram
}

test('puts each duration under the first bound that is not below it', () => {
  for (const durationMs of drawDurations(5_000)) {
    const bucket = bucketOf(durationMs)
    expect(durationMs).toBeLessThanOrEqual(upperBoundMs(bucket) * (1 + 1e-12))
    expect(durationMs).toBeGreaterThan(upperBoundMs(bucket - 1) * (1 - 1e-12))
  }
})

test.each([
  [-1, 0],
  [0, 0],
  [Number.NaN, 0],
  [0.0625, 0],
  [0.063, 1],
  [1, 32],
  [1.0001, 33],
  [1024, 112],
  [4_194_304, bucketCount - 1],
  [Infinity, bucketCount - 1],
])('puts %d ms into bucket %d', (durationMs, bucket) => {
  expect(bucketOf(durationMs)).toBe(bucket)
})

test.each([0.5, 0.9, 0.99])('computes the %d quantile within 5 %% after merging', (share) => {
  const parts = [1_000, 10, 500].map(drawDurations)
  const merged = emptyHistogram()
  for (const part of parts) addHistogram(merged, histogramOf(part))

  const sorted = parts.flat().toSorted((a, b) => a - b)
  const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  expect(Math.abs((quantileMs(merged, share) ?? 0) / exact - 1)).toBeLessThan(0.05)
})

test('has no quantile without values', () => {
  expect(quantileMs(emptyHistogram(), 0.5)).toBeNull()
})

test('counts the values up to a power of two', () => {
  const histogram = histogramOf([0.01, 0.9, 1, 1.1, 2, 1_024, 1_025, 1e9])
  expect([-4, 0, 1, 10, 22].map((exponent) => countUpTo(histogram, exponent))).toEqual([
    1, 3, 5, 6, 8,
  ])
})

test('is equal after being encoded and decoded, and adds the decoded counts', () => {
  const histogram = histogramOf(drawDurations(2_000))
  histogram[0] = 2 ** 32 - 1
  histogram[bucketCount - 1] = 300
  const read = emptyHistogram()
  addEncoded(read, encodeHistogram(histogram))
  expect(read).toEqual(histogram)

  const one = encodeHistogram(histogramOf([5]))
  addEncoded(read, one)
  addEncoded(read, one)
  expect((read[bucketOf(5)] ?? 0) - (histogram[bucketOf(5)] ?? 0)).toBe(2)
  expect(encodeHistogram(emptyHistogram())).toHaveLength(0)
})
