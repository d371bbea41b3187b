/**
 * @returns the exact value below which `share` of the values lie; all values are kept and sorted; NaN without values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
