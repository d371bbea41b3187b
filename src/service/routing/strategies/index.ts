/** The registry: a strategy that `shared/routers/strategy-names.ts` names and this table lacks does not compile. */
import type { StrategyName } from '../../../shared/routers/strategy-names.ts'
import { adaptive } from './adaptive.ts'
import { balanced } from './balanced.ts'
import { carbonOptimized } from './carbon-optimized.ts'
import { costOptimized } from './cost-optimized.ts'
import { latencyOptimized } from './latency-optimized.ts'
import { priority } from './priority.ts'
import { qualityOptimized } from './quality-optimized.ts'
import type { Strategy } from './strategy.ts'

export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  cost_optimized: costOptimized,
  latency_optimized: latencyOptimized,
  quality_optimized: qualityOptimized,
  carbon_optimized: carbonOptimized,
  balanced,
  adaptive,
  priority,
}
