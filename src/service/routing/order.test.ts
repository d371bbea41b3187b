/** The order of models when spending runs ahead of the budget. */
import { expect, test } from 'vitest'
import { order } from './order.ts'
import { contender, sampleParameters } from '../../../test/routing/sample-candidates.ts'

const strong = contender('strong', { quality: 0.9, costNanoUsd: 20_000_000 }, 0)
const light = contender('light', { quality: 0.8, costNanoUsd: 1_000_000 }, 1)
const under = (qualityPerUsd: number) =>
  order([strong, light], 'quality_optimized', { ...sampleParameters, qualityPerUsd })

test('the strategy alone decides without pacing', () => {
  expect(under(0)).toEqual([strong, light])
})

test('pacing subtracts the cost from the expected quality, so expensive models move back', () => {
  // 1.9 cents more for 0.1 of quality, of which half a percentage point does not count: 5 per dollar.
  expect(under(5)).toEqual([light, strong])
  expect(under(4)).toEqual([strong, light])
})

test('returns the contenders unchanged', () => {
  expect(under(50)[0]?.estimate.quality).toBe(0.8)
})

test('the most expensive model stays last, however far spending is ahead, and the others keep their order', () => {
  const fast = contender('fast', { quality: 0.9, costNanoUsd: 20_000_000, latencyMs: 500 })
  const slow = contender('slow', { quality: 0.82, costNanoUsd: 1_010_000, latencyMs: 1_500 })
  const quick = contender('quick', { quality: 0.8, costNanoUsd: 1_000_000, latencyMs: 1_000 })
  const parameters = { ...sampleParameters, qualityPerUsd: 1_600 }

  expect(order([fast, slow, quick], 'latency_optimized', parameters)).toEqual([quick, slow, fast])
})
