import { expect, test } from 'vitest'
import { lineValues, loneIndexes } from './buckets.ts'

test('one empty bucket is drawn over, and two break the line', () => {
  expect(lineValues([1, null, 2, null, null, 3])).toEqual([1, undefined, 2, null, null, 3])
})

test('a line neither begins before its first value nor goes on after its last', () => {
  expect(lineValues([null, 1, 2, null])).toEqual([null, 1, 2, null])
})

test('a value between two gaps is a dot', () => {
  expect(loneIndexes([1, null, null, 2, null, null, 3, 4])).toEqual([0, 3])
})

test('a value at the end of a bridge is no dot', () => {
  expect(loneIndexes([1, null, 2])).toEqual([])
  expect(loneIndexes([null, 5, null])).toEqual([1])
})
