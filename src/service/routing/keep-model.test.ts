/** When a conversation stays with the model that answered last. */
import { expect, test } from 'vitest'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import { contender, sampleParameters } from '../../../test/routing/sample-candidates.ts'
import { whyKept } from './keep-model.ts'
import { order } from './order.ts'

const strong = contender('strong', { quality: 0.85, costNanoUsd: 20_000_000 }, 0)
const weak = contender('weak', { quality: 0.7, costNanoUsd: 1_000_000 }, 1)

test.each<StrategyName>(['quality_optimized', 'latency_optimized', 'cost_optimized'])(
  'a conversation leaves its expensive model when spending runs ahead of the budget: %s',
  (strategy) => {
    const keptAt = (qualityPerUsd: number, isToolPending = false) => {
      const parameters = { ...sampleParameters, qualityPerUsd }
      const ranked = order([strong, weak], strategy, parameters)
      return whyKept(strong.model, ranked, { strategy, parameters, isToolPending, isSticky: true })
    }

    expect(keptAt(0)).toBe('near')
    expect(keptAt(20)).toBeNull()
    expect(keptAt(20, true)).toBe('tool')
  },
)
