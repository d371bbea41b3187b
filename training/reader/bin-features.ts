/** Sorts the values of each feature into few bins, so that a split is searched among bins and not among rows. */

/** Most bins of a feature, each with about as many rows. */
export const mostBins = 64

export interface Binned {
  /** Bin of each row, by feature. */
  columns: readonly Uint8Array[]
  /** Greatest value of each bin but the last, by feature; exact as 32-bit numbers. */
  borders: readonly Float32Array[]
}

/** @param rows  their values, the same number in each */
export function binned(rows: readonly Float64Array[]): Binned {
  const borders = Array.from(rows[0] ?? [], (_, feature) =>
    bordersOf(Float64Array.from(rows, (values) => values[feature] ?? 0)),
  )
  const columns = borders.map((limits, feature) =>
    Uint8Array.from(rows, (values) => binOf(values[feature] ?? 0, limits)),
  )
  return { columns, borders }
}

function bordersOf(values: Float64Array): Float32Array {
  const sorted = values.toSorted()
  const found = new Set<number>()
  for (let bin = 1; bin < mostBins; bin += 1) {
    const at = Math.floor((bin * sorted.length) / mostBins)
    found.add(Math.fround(nextMiddle(sorted, at)))
  }
  return Float32Array.from(found).toSorted()
}

/** Halfway between the value at a place and the next greater one. */
function nextMiddle(sorted: Float64Array, at: number): number {
  const value = sorted[at] ?? 0
  let next = at
  while (next < sorted.length && sorted[next] === value) next += 1
  return (value + (sorted[next] ?? value)) / 2
}

/** The number of borders below the value. */
function binOf(value: number, borders: Float32Array): number {
  let [low, high] = [0, borders.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (value > (borders[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}
