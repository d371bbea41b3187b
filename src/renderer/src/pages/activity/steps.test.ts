import { expect, test } from 'vitest'
import { stepOf } from './steps.ts'

const place = { index: 10, count: 100, pageSize: 20 }

test.each([
  ['ArrowDown', 11],
  ['ArrowUp', 9],
  ['PageDown', 30],
  ['PageUp', 0],
  ['Home', 0],
  ['End', 99],
])('%s moves from row 10 of 100 to row %i', (key, index) => {
  expect(stepOf(key, place)).toBe(index)
})

test('the first step enters the list, and an empty list has none', () => {
  expect(stepOf('ArrowDown', { ...place, index: -1 })).toBe(0)
  expect(stepOf('ArrowDown', { ...place, count: 0 })).toBeNull()
  expect(stepOf('a', place)).toBeNull()
})
