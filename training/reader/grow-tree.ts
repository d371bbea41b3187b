/** One tree of the boosting: the leaf whose split gains most is split next. */
import { leavesPerTree } from '../../src/service/routing/prompt/difficulty-trees.ts'
import { mostBins, type Binned } from './bin-features.ts'

export interface TreeTask {
  /** Slopes of the loss, by row. */
  slopes: Float64Array
  curvatures: Float64Array
  /** The rows and features that this tree learns from. */
  rows: Int32Array
  features: readonly number[]
}

interface Split {
  feature: number
  /** Rows up to this bin go below. */
  bin: number
  /** Places of nodes; a leaf is −1 less its place. */
  below: number
  above: number
}

export interface GrownTree {
  splits: readonly Split[]
  /** Leaf values before the learning rate applies. */
  leaves: readonly number[]
}

interface Leaf {
  rows: Int32Array
  /** Sums of slopes and curvatures, and the number of rows, by feature of the task and bin. */
  histogram: Float64Array
  slope: number
  curvature: number
  best: { feature: number; bin: number; gain: number } | null
  /** The split that points to this leaf; null for the root. */
  parent: { split: Split; side: 'below' | 'above' } | null
}

const leastRows = 40
const ridge = 20
/** Numbers of a bin in a histogram. */
const perBin = 3

export function growTree(data: Binned, task: TreeTask): GrownTree {
  const leaves = [leafOf(data, task, { rows: task.rows, parent: null })]
  const splits: Split[] = []
  while (leaves.length < leavesPerTree) {
    const place = placeOfGreatest(leaves.map(({ best }) => best?.gain ?? 0))
    const leaf = leaves[place]
    if (!leaf?.best) break
    const split: Split = { ...leaf.best, below: 0, above: 0 }
    if (leaf.parent) leaf.parent.split[leaf.parent.side] = splits.length
    splits.push(split)
    leaves.splice(place, 1, ...halvesOf(data, task, { leaf, split }))
  }
  for (const [place, { parent }] of leaves.entries()) {
    if (parent) parent.split[parent.side] = -1 - place
  }
  return {
    splits,
    leaves: leaves.map(({ slope, curvature }) => -slope / (curvature + ridge)),
  }
}

/** Splits the histogram: the smaller half is counted, the other is the rest. */
function halvesOf(
  data: Binned,
  task: TreeTask,
  { leaf, split }: { leaf: Leaf; split: Split },
): Leaf[] {
  const column = data.columns[split.feature]
  const isBelow = (row: number) => (column?.[row] ?? 0) <= split.bin
  const below = leaf.rows.filter(isBelow)
  const above = leaf.rows.filter((row) => !isBelow(row))
  const sides = [
    { rows: below, parent: { split, side: 'below' as const } },
    { rows: above, parent: { split, side: 'above' as const } },
  ]
  const [smaller, greater] = below.length < above.length ? sides : sides.toReversed()
  if (!smaller || !greater) return []
  const counted = leafOf(data, task, smaller)
  const histogram = leaf.histogram.map((sum, at) => sum - (counted.histogram[at] ?? 0))
  const rest = leafOf(data, task, { ...greater, histogram })
  return [counted, rest]
}

function leafOf(
  data: Binned,
  task: TreeTask,
  {
    rows,
    parent,
    histogram = histogramOf(data, task, rows),
  }: Pick<Leaf, 'rows' | 'parent'> & {
    histogram?: Float64Array
  },
): Leaf {
  let slope = 0
  let curvature = 0
  for (const row of rows) {
    slope += task.slopes[row] ?? 0
    curvature += task.curvatures[row] ?? 0
  }
  const sums = { histogram, slope, curvature, count: rows.length }
  return { rows, parent, histogram, slope, curvature, best: bestSplit(task.features, sums) }
}

function histogramOf({ columns }: Binned, task: TreeTask, rows: Int32Array): Float64Array {
  const { slopes, curvatures, features } = task
  const histogram = new Float64Array(features.length * mostBins * perBin)
  for (const [place, feature] of features.entries()) {
    const column = columns[feature] ?? new Uint8Array()
    const start = place * mostBins * perBin
    // Not `for … of`: this is where the training spends its time.
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] ?? 0
      const at = start + perBin * (column[row] ?? 0)
      histogram[at] = (histogram[at] ?? 0) + (slopes[row] ?? 0)
      histogram[at + 1] = (histogram[at + 1] ?? 0) + (curvatures[row] ?? 0)
      histogram[at + 2] = (histogram[at + 2] ?? 0) + 1
    }
  }
  return histogram
}

interface Sums {
  histogram: Float64Array
  slope: number
  curvature: number
  count: number
}

function bestSplit(
  features: readonly number[],
  { histogram, slope, curvature, count }: Sums,
): Leaf['best'] {
  let best: Leaf['best'] = null
  const whole = strength(slope, curvature)
  for (const [place, feature] of features.entries()) {
    let [slopeBelow, curvatureBelow, countBelow] = [0, 0, 0]
    for (let bin = 0; bin < mostBins - 1; bin += 1) {
      const at = perBin * (place * mostBins + bin)
      slopeBelow += histogram[at] ?? 0
      curvatureBelow += histogram[at + 1] ?? 0
      countBelow += histogram[at + 2] ?? 0
      if (countBelow < leastRows) continue
      if (count - countBelow < leastRows) break
      const above = strength(slope - slopeBelow, curvature - curvatureBelow)
      const gain = strength(slopeBelow, curvatureBelow) + above - whole
      if (gain > (best?.gain ?? 0)) best = { feature, bin, gain }
    }
  }
  return best
}

function strength(slope: number, curvature: number): number {
  return (slope * slope) / (curvature + ridge)
}

function placeOfGreatest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}
