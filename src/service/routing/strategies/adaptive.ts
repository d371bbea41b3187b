/**
 * The rule of `cost_optimized`, on a quality that learns: thumbs, regenerated answers and side-by-side
 * votes move the estimate (`rank.ts` counts feedback for this strategy only).
 */
import { costOptimized } from './cost-optimized.ts'
import type { Strategy } from './strategy.ts'

export const adaptive: Strategy = {
  ...costOptimized,
  why: (ranked, parameters) => {
    const taught = ranked.filter(({ estimate }) => estimate.qualitySource !== 'prior').length
    const learnt = taught === 0 ? 'no feedback yet' : `feedback on ${taught} of ${ranked.length}`
    return `${costOptimized.why(ranked, parameters)} (${learnt})`
  },
}
