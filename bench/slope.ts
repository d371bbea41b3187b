import { median } from './quantile.ts'

/**
 * Slope of the line through points: the median of the slopes between any two of them (Theil and Sen), so that one
 * outlier does not matter.
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  )
  return median(slopes)
}
