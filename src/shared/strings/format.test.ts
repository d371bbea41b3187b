import { afterEach, describe, expect, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatGrams,
  formatPrice,
  formatRelativeTime,
  formatShare,
  formatTimeMark,
  formatTokens,
  formatShortUsd,
  formatUsd,
} from './format.ts'
import { setFormatLocale } from './format-locale.ts'

test.each([
  [null, '—'],
  [0, '$0'],
  [0.000_001_234, '$0.00000123'],
  [0.0021, '$0.0021'],
  [0.0421, '$0.0421'],
  [0.6, '$0.60'],
  [1, '$1.00'],
  [1234.5, '$1,234.50'],
  [-1234.56, '-$1,234.56'],
  [-0.0421, '-$0.0421'],
  [-0.001_234_5, '-$0.00123'],
])('money %j reads %s', (usd, text) => {
  expect(formatUsd(usd)).toBe(text)
})

test.each([
  [null, null, 'no price yet'],
  [0.15, null, 'no price yet'],
  [0, 0, 'free'],
  [0.15, 0.6, '$0.15 in · $0.60 out'],
])('a price of %j in and %j out reads %s', (input, output, text) => {
  expect(formatPrice(input, output)).toBe(text)
})

test.each([
  [null, '—'],
  [0, '≈ 0 g'],
  [0.000_423, '≈ 0.42 mg'],
  [0.0371, '≈ 37 mg'],
  [0.4567, '≈ 0.46 g'],
  [12.34, '≈ 12 g'],
  [4567, '≈ 4.6 kg'],
  [994, '≈ 990 g'],
  [999.6, '≈ 1 kg'],
  [0.099_96, '≈ 0.1 g'],
])('grams %j read %s, with two digits and marked as an estimate', (grams, text) => {
  expect(formatGrams(grams)).toBe(text)
})

test.each([
  [null, '—'],
  [0.4, '0 ms'],
  [812.4, '812 ms'],
  [999.4, '999 ms'],
  [999.7, '1 s'],
  [3420, '3.42 s'],
  [59_949, '59.9 s'],
  [59_999, '1 min 0 s'],
  [119_900, '2 min 0 s'],
  [125_000, '2 min 5 s'],
])('a duration of %j ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [94_371_840, '94 MB'],
  [1_900_000_000, '1.9 GB'],
  [0, '0 B'],
  [300, '300 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [12_000, '12 kB'],
  [999_600, '1 MB'],
  [999_700_000, '1 GB'],
])('%j bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '0 %'],
  [0.0004, '< 1 %'],
  [0.126, '13 %'],
  [0.9996, '> 99 %'],
  [1, '100 %'],
  [1.2, '120 %'],
])('a share of %j reads %s', (share, text) => {
  expect(formatShare(share)).toBe(text)
})

test('a token count is short', () => {
  expect([128_000, 999_999].map(formatTokens)).toEqual(['128K', '1M'])
})

test('marks on a time axis get a day, a time or seconds by their distance', () => {
  const noon = new Date(2026, 10, 21, 12, 34, 56).getTime()
  expect([86_400_000, 3_600_000, 1000].map((ms) => formatTimeMark(noon, ms))).toEqual([
    'Nov 21',
    '12:34',
    '12:34:56',
  ])
})

describe('relative time', () => {
  const now = Date.UTC(2026, 10, 1)
  test.each([
    [null, '—'],
    [now - 10_000, 'just now'],
    [now - 40_000, '1 minute ago'],
    [now - 3 * 60_000, '3 minutes ago'],
    [now - 26 * 3_600_000, 'yesterday'],
    [now + 3 * 86_400_000, 'in 3 days'],
    [now - 100 * 86_400_000, '3 months ago'],
  ])('%j reads %s', (atMs, text) => {
    expect(formatRelativeTime(atMs, now)).toBe(text)
  })
})

describe('a chosen locale', () => {
  afterEach(() => setFormatLocale('en-US'))

  const noon = new Date(2026, 10, 21, 12, 34, 56).getTime()
  const shown = () =>
    [
      formatUsd(1234.5),
      formatUsd(0),
      formatCount(1_234_567),
      formatDuration(3_420),
      formatDateTime(noon),
      formatTimeMark(noon, 86_400_000),
      formatRelativeTime(noon - 180_000, noon),
      // Intl puts no-break spaces of several widths between groups and before units.
    ].map((text) => text.replaceAll(/[\u00A0\u202F]/g, ' '))

  test.each([
    [
      'en-US',
      ['$1,234.50', '$0', '1,234,567', '3.42 s', 'Nov 21, 2026, 12:34', 'Nov 21', '3 minutes ago'],
    ],
    [
      'de-DE',
      [
        '1.234,50 $',
        '0 $',
        '1.234.567',
        '3,42 s',
        '21.11.2026, 12:34',
        '21. Nov.',
        '3 minutes ago',
      ],
    ],
    [
      'fr-FR',
      [
        '1 234,50 $',
        '0 $',
        '1 234 567',
        '3,42 s',
        '21 nov. 2026, 12:34',
        '21 nov.',
        '3 minutes ago',
      ],
    ],
    [
      'ja-JP',
      ['$1,234.50', '$0', '1,234,567', '3.42 s', '2026/11/21 12:34', '11月21日', '3 minutes ago'],
    ],
  ])('%s formats numbers, money and dates, and leaves words in English', (locale, expected) => {
    setFormatLocale(locale)
    expect(shown()).toEqual(expected)
  })
})

test('money in few characters is shortened from a thousand dollars, in the format of the locale', () => {
  expect([0, 12.5, 999.5, 1000, 12_345, 2_500_000, -12_345].map(formatShortUsd)).toEqual([
    '$0',
    '$12.50',
    '$999.50',
    '$1K',
    '$12.3K',
    '$2.5M',
    '-$12.3K',
  ])
})
