import { expect, test } from 'vitest'
import { sparklinePaths } from './sparkline.tsx'

test('a sparkline goes from zero at the bottom to the highest value at the top', () => {
  const { line, area } = sparklinePaths([0, 5, 10])

  expect(line).toBe('M0 22L50 12L100 2')
  expect(area).toBe('M0 22L50 12L100 2L100 24L0 24Z')
})

test('a sparkline breaks at a gap, and a single value is a dot', () => {
  const { line, area, dots } = sparklinePaths([4, null, 2, 4, null])

  expect(dots).toBe('M0 2h0.01')
  expect(line).toBe('M50 12L75 2')
  expect(area).toBe('M50 12L75 2L75 24L50 24Z')
})

test('a sparkline without values above zero has no line', () => {
  expect(sparklinePaths([0, 0, null])).toEqual({ line: '', area: '', dots: '' })
  expect(sparklinePaths([])).toEqual({ line: '', area: '', dots: '' })
})
