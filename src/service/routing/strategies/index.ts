/** The registry: a strategy named in `shared/chat.ts` and missing here does not compile. */
import type { StrategyName } from '../../../shared/chat.ts'
import { costOptimized } from './cost-optimized.ts'
import { priority } from './priority.ts'
import type { Strategy } from './strategy.ts'

export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  cost_optimized: costOptimized,
  priority,
}
