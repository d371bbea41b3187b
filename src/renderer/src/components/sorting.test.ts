import { expect, test } from 'vitest'
import { moved, placeAt } from './sorting.ts'

const ids = ['a', 'b', 'c']

test.each([
  ['a', 1, ['b', 'a', 'c']],
  ['c', 0, ['c', 'a', 'b']],
  ['a', 9, ['b', 'c', 'a']],
  ['b', -1, ['b', 'a', 'c']],
])('%s moves to place %i', (id, to, after) => {
  expect(moved(ids, id, to)).toEqual(after)
})

test('an entry that stays, or is no longer in the list, leaves the same list', () => {
  expect(moved(ids, 'a', 0)).toBe(ids)
  expect(moved(ids, 'a', -1)).toBe(ids)
  expect(moved(ids, 'gone', 1)).toBe(ids)
})

test('the pointer is behind the entries whose middle is above it', () => {
  const others = [
    { top: 0, bottom: 40 },
    { top: 46, bottom: 86 },
  ]
  expect([-5, 19, 21, 65, 67, 500].map((y) => placeAt(y, others))).toEqual([0, 0, 1, 1, 2, 2])
})
