import { expect, test } from 'vitest'
import { emptyFigures } from '../../../../test/renderer-harness/sample-report.ts'
import { seriesAt, stackOf } from './stacks.ts'

const look = { color: 'red', isHatched: false }
const bucket = {
  startMs: 0,
  endMs: 1,
  point: { startMs: 0, total: emptyFigures({ requests: 3 }), groups: {} },
}

test('a height of a bar belongs to one series, and above it or without a height to none', () => {
  const stack = stackOf({
    series: [
      { name: 'a', label: 'A', ...look },
      { name: 'b', label: 'B', ...look },
    ],
    buckets: [bucket],
    valueOf: (index) => [1, 2][index] ?? 0,
    steps: 'whole',
  })
  const nameAt = (share: number | null) => seriesAt(stack, bucket, share)?.name ?? null
  expect(stack.scale.max).toBe(3)
  expect([0.1, 0.5, 0.9].map(nameAt)).toEqual(['a', 'b', 'b'])
  expect([1.1, null].map(nameAt)).toEqual([null, null])
})
