import { expect, test } from 'vitest'
import {
  formatQuality,
  formatQualityPoints,
  formatQualityRange,
  formatRated,
} from './quality-words.ts'

test('a quality is a whole number from 0 to 100', () => {
  expect([0, 0.004, 0.817, 1, 1.2, -0.1].map(formatQuality)).toEqual([
    '0',
    '0',
    '82',
    '100',
    '100',
    '0',
  ])
})

test('a difference of two qualities is told in points of the same scale', () => {
  expect([0.08, -0.0205, 0.01, 0].map(formatQualityPoints)).toEqual([
    '8 points',
    '2.05 points',
    '1 point',
    '0 points',
  ])
})

test('the bounds of a quality stay within the scale', () => {
  expect(formatQualityRange(0.1, 0.2)).toBe('10 (0–30)')
  expect(formatQualityRange(0.95, 0.1)).toBe('95 (85–100)')
  expect(formatQualityRange(0.5, 0.001)).toBe('50')
})

test('a rating is on the same scale, with the range of its source', () => {
  expect(formatRated({ points: 1484, halfWidth: 17 })).toBe('94 (93–95)')
  expect(formatRated({ points: 1300, halfWidth: null })).toBe('73')
})
