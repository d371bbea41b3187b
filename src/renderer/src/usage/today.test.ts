import { expect, test } from 'vitest'
import { todayAt } from './today.ts'

test('today begins at local midnight and is one bucket', () => {
  const nowMs = Date.now()
  const midnight = new Date(nowMs)
  midnight.setHours(0, 0, 0, 0)
  const { fromMs, toMs, bucketMs } = todayAt(nowMs)

  // Days with a change of the clock begin an hour beside the bucket.
  expect(Math.abs(fromMs - midnight.getTime())).toBeLessThanOrEqual(3_600_000)
  expect(toMs - fromMs).toBe(bucketMs)
  expect(toMs).toBeGreaterThan(nowMs)
})
