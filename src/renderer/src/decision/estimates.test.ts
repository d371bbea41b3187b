import { expect, test } from 'vitest'
import { formatAbout, formatAboutBand } from './estimates.ts'

test.each([
  ['usd', 0, '$0'],
  ['usd', 0.002_14, '≈ $0.0021'],
  ['usd', 12.34, '≈ $12'],
  ['ms', 812, '≈ 810 ms'],
  ['ms', 3420, '≈ 3.4 s'],
  ['ms', 90_000, '≈ 1.5 min'],
  ['grams', 0.000_42, '≈ 0.42 mg'],
  ['grams', 0.271, '≈ 0.27 g'],
  ['grams', 2345, '≈ 2.3 kg'],
] as const)('of %s %j reads %s', (measure, value, text) => {
  expect(formatAbout(measure, value)).toBe(text)
})

test('a range has the unit of its middle', () => {
  expect(formatAboutBand('grams', { low: 0.041, mid: 0.1, high: 0.32 })).toBe(
    '≈ 0.1 g (0.041–0.32)',
  )
  expect(formatAboutBand('ms', { low: 800, mid: 1100, high: 1404 })).toBe('≈ 1.1 s (0.8–1.4)')
  expect(formatAboutBand('usd', { low: 0.38, mid: 0.42, high: 0.47 })).toBe('≈ $0.42 (0.38–0.47)')
})

test('a range without width is a number', () => {
  expect(formatAboutBand('usd', { low: 0, mid: 0, high: 0 })).toBe('$0')
})
