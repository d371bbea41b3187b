/** The statistics that ratings are derived with. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @returns the value below which this share of the values lies; 0 for none */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? 0
  const above = sorted[Math.ceil(place)] ?? below
  return below + (above - below) * (place - Math.floor(place))
}

export function standardDeviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

export interface Line {
  intercept: number
  slope: number
  /** Standard deviation of the residuals. */
  residual: number
}

/** The line through the points by least squares. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line {
  const middleX = mean(points.map(([x]) => x))
  const middleY = mean(points.map(([, y]) => y))
  let covariance = 0
  let variance = 0
  for (const [x, y] of points) {
    covariance += (x - middleX) * (y - middleY)
    variance += (x - middleX) ** 2
  }
  const slope = variance === 0 ? 0 : covariance / variance
  const intercept = middleY - slope * middleX
  const errors = points.map(([x, y]) => y - (intercept + slope * x))
  const freedom = Math.max(1, points.length - 2)
  const residual = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / freedom)
  return { intercept, slope, residual }
}
