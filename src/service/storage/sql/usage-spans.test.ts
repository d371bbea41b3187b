import { expect, test } from 'vitest'
import { coverSince, longestWithin, noEndMs, type CompleteFrom, type Span } from './usage-spans.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const everything: CompleteFrom = { rowsMs: 0, minutesMs: 0, hoursMs: 0 }

const written = ({ lengthMs, fromMs, toMs }: Span) => [lengthMs, fromMs, toMs]
const cover = (sinceMs: number, longestMs: number, kept = everything) =>
  coverSince(sinceMs, longestMs, kept).map(written)

test.each([
  [1000, 0],
  [minute, minute],
  [90 * minute, minute],
  [6 * hour, hour],
  [day, day],
  [14 * day, day],
])('sums buckets of %d ms from cells of %d ms', (bucketMs, lengthMs) => {
  expect(longestWithin(bucketMs)).toBe(lengthMs)
})

test('uses days when the range starts with one', () => {
  expect(cover(2 * day, day)).toEqual([[day, 2 * day, noEndMs]])
})

test('uses rows, minutes, hours and days when it starts within all of them', () => {
  const since = day + 5 * hour + 7 * minute + 1
  expect(cover(since, day)).toEqual([
    [0, since, day + 5 * hour + 8 * minute],
    [minute, day + 5 * hour + 8 * minute, day + 6 * hour],
    [hour, day + 6 * hour, 2 * day],
    [day, 2 * day, noEndMs],
  ])
})

test('uses no longer cells than allowed', () => {
  expect(cover(day + 1, minute)).toEqual([
    [0, day + 1, day + minute],
    [minute, day + minute, noEndMs],
  ])
  expect(cover(day + 1, 0)).toEqual([[0, day + 1, noEndMs]])
})

test('reads rows where minutes were deleted, and hours and days where rows were deleted, too', () => {
  const kept = { rowsMs: 5 * day, minutesMs: 8 * day, hoursMs: 3 * day }
  expect(cover(day, minute, kept)).toEqual([
    [day, day, 3 * day],
    [hour, 3 * day, 5 * day],
    [0, 5 * day, 8 * day],
    [minute, 8 * day, noEndMs],
  ])
})

test('counts the shortest available cell in full when it starts within one', () => {
  const kept = { rowsMs: 5 * day, minutesMs: 5 * day, hoursMs: 3 * day }
  expect(cover(day + 1, day, kept)[0]).toEqual([day, day, 3 * day])
  expect(cover(4 * day + hour + 1, day, kept)).toEqual([
    [hour, 4 * day + hour, 5 * day],
    [day, 5 * day, noEndMs],
  ])
})

test('covers every moment once, whichever tables are complete', () => {
  const draw = (limit: number) => Math.floor(Math.random() * limit)
  for (let round = 0; round < 2_000; round += 1) {
    const kept = { rowsMs: draw(9) * day, minutesMs: draw(9) * day, hoursMs: draw(9) * day }
    const since = draw(9 * day)
    const spans = coverSince(since, [0, minute, hour, day][draw(4)] ?? 0, kept)
    expect(spans[0]?.fromMs).toBeLessThanOrEqual(since)
    expect(spans.at(-1)?.toMs).toBe(noEndMs)
    expect(spans.slice(1).map(({ fromMs }) => fromMs)).toEqual(
      spans.slice(0, -1).map(({ toMs }) => toMs),
    )
    expect(spans.filter(({ lengthMs, fromMs }) => lengthMs > 0 && fromMs % lengthMs > 0)).toEqual(
      [],
    )
  }
})
