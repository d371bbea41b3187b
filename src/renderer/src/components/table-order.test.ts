import { expect, test } from 'vitest'
import { inOrder, nextOrder, type Order } from './table-order.ts'

const rows = [
  { key: 'a', values: ['Beta', 2] },
  { key: 'b', values: ['alpha', null] },
  { key: 'c', values: ['Gamma', 10] },
]
const keysIn = (order: Order | null) => inOrder(rows, order).map(({ key }) => key)

test('figures begin with the largest, names with the first, and a third press restores the order', () => {
  const first = nextOrder(null, 1, true)
  expect(keysIn(first)).toEqual(['c', 'a', 'b'])
  const second = nextOrder(first, 1, true)
  expect(keysIn(second)).toEqual(['a', 'c', 'b'])
  expect(keysIn(nextOrder(second, 1, true))).toEqual(['a', 'b', 'c'])
  expect(keysIn(nextOrder(first, 0, false))).toEqual(['b', 'a', 'c'])
})

test('rows without values keep their order', () => {
  const plain = [{ values: undefined }, { values: [] }]
  expect(inOrder(plain, { column: 0, direction: 'descending' })).toEqual(plain)
})
