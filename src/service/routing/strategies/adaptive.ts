/**
 * The rule of `cost_optimized` on a quality that learns from feedback: thumbs, regenerated answers and
 * side-by-side votes.
 */
import { costOptimized } from './cost-optimized.ts'
import type { Strategy } from './strategy.ts'

export const adaptive: Strategy = {
  ...costOptimized,
  why: (ranked, parameters) => {
    const taught = ranked.filter(({ estimate }) => estimate.qualitySource !== 'prior').length
    const learned =
      taught === 0 ? 'no feedback yet' : `feedback counts for ${taught} of ${ranked.length} models`
    return `${costOptimized.why(ranked, parameters)} (${learned})`
  },
}
