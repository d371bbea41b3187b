import { describe, expect, test } from 'vitest'
import { formatDuration, formatUsd } from '../../../shared/strings/format.ts'
import { barLimit, linearScale, logScale, scaleOf, timeMarks } from './scales.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('value axes', () => {
  test.each([1e-6, 2.5e-4, 0.07, 1, 3, 999, 1e3, 61_000, 4e7])(
    'an axis up to %d has two to six marks, contains the value and has distinct labels',
    (highest) => {
      for (const scale of [linearScale(highest), linearScale(highest, 'duration')]) {
        expect(scale.marks.length).toBeGreaterThanOrEqual(2)
        expect(scale.marks.length).toBeLessThanOrEqual(6)
        expect(scale.max).toBeGreaterThanOrEqual(highest)
        expect(scale.max).toBeLessThanOrEqual(highest * 2.5)
      }
      const labels = linearScale(highest).marks.map(formatUsd)
      expect(new Set(labels).size).toBe(labels.length)
      const durations = linearScale(highest, 'duration').marks.map(formatDuration)
      expect(highest < 10 || new Set(durations).size === durations.length).toBe(true)
    },
  )

  test('an axis without values, or with zeros alone, runs from zero to one', () => {
    expect(linearScale(0).marks).toEqual([0, 1])
    expect(scaleOf([null, 0, 0]).marks).toEqual([0, 1])
  })

  test('counts have whole marks', () => {
    expect(linearScale(1, 'whole').marks).toEqual([0, 1])
    expect(linearScale(3, 'whole').marks).toEqual([0, 1, 2, 3])
  })

  test('one value of a minute among values of a second gives a logarithmic axis', () => {
    const scale = scaleOf([800, 900, 1_000, 1_200, 60_000])
    expect(scale.kind).toBe('log')
    expect(scale.position(1_000)).toBeGreaterThan(0.05)
    expect(scale.position(60_000)).toBeLessThanOrEqual(1)
    expect(scale.marks.length).toBeGreaterThanOrEqual(2)
  })

  test.each([
    [1, 1],
    [0.3, 0.4],
    [5, 5_000_000],
    [1e-6, 1e3],
  ])('a logarithmic axis from %d to %d contains both and has two to six marks', (low, high) => {
    const scale = logScale(low, high)
    expect(scale.min).toBeLessThanOrEqual(low)
    expect(scale.max).toBeGreaterThanOrEqual(high)
    expect(scale.marks.length).toBeGreaterThanOrEqual(2)
    expect(scale.marks.length).toBeLessThanOrEqual(6)
  })

  test('bars are cut off only where one would flatten the others', () => {
    expect(barLimit([1, 2, 3, 4, 40])).toBe(40)
    expect(barLimit([10, 12, 11, 9, 13, 10, 12, 11, 14, 4_000])).toBe(28)
    expect(barLimit([1, 1_000])).toBe(1_000)
  })
})

describe('time axes', () => {
  const day = { fromMs: 0, toMs: 24 * hourMs, offsetMs: 0 }

  test('marks are at round local times', () => {
    expect(timeMarks({ ...day, offsetMs: hourMs }, 5).map(({ atMs }) => atMs / hourMs)).toEqual([
      5, 11, 17, 23,
    ])
  })

  test.each([60 * minuteMs, 24 * hourMs, 7 * 24 * hourMs, 400 * 24 * hourMs])(
    'a range of %d ms has at least two marks at every width',
    (toMs) => {
      for (const most of [2, 3, 5, 8, 12]) {
        const marks = timeMarks({ fromMs: 12_345, toMs: 12_345 + toMs, offsetMs: 0 }, most)
        expect(marks.length).toBeGreaterThanOrEqual(2)
        expect(marks.length).toBeLessThanOrEqual(most + 1)
      }
    },
  )
})
