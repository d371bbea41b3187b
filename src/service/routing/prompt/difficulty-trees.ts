/**
 * The trees' part of a prompt's difficulty: many small decision trees, each a correction of those before it.
 *
 * The nodes of all trees stand together, by feature and rising threshold. A node that a prompt exceeds closes the
 * leaves below it; of those that stay open, a tree's first is its answer. Features that are 0 are passed at once, and
 * nothing is guessed wrong by the processor as it is when each tree is walked (5 µs a prompt instead of 11).
 */

export const treeCount = 250
export const leavesPerTree = 15

export interface DifficultyTrees {
  /** The difficulty before the first tree. */
  start: number
  /** Number of nodes up to the last of each feature, in the order of `difficultyFeatureNames`. */
  ends: readonly number[]
  /** Threshold of each node: a greater value closes leaves. */
  thresholds: Float32Array
  trees: Uint8Array
  /** A bit for each leaf of the node's tree, 0 for those that are closed. */
  masks: Uint16Array
  /** Leaf values by tree, in steps of `leafScale`. */
  leaves: Int8Array
  leafScale: number
}

/** A buffer between two prompts: the open leaves of each tree. */
const open = new Uint16Array(treeCount)

/** @param values  in the order of `difficultyFeatureNames` */
export function readTrees(
  { start, ends, thresholds, trees, masks, leaves, leafScale }: DifficultyTrees,
  values: Float64Array,
): number {
  open.fill(0xffff)
  let first = 0
  for (let feature = 0; feature < ends.length; feature += 1) {
    const value = values[feature] ?? 0
    const end = ends[feature] ?? 0
    for (let node = first; node < end && value > (thresholds[node] ?? 0); node += 1) {
      const tree = trees[node] ?? 0
      open[tree] = (open[tree] ?? 0) & (masks[node] ?? 0)
    }
    first = end
  }
  let sum = 0
  for (let tree = 0; tree < treeCount; tree += 1) {
    const left = open[tree] ?? 0
    const leaf = 31 - Math.clz32(left & -left)
    sum += leaves[tree * leavesPerTree + leaf] ?? 0
  }
  return start + sum * leafScale
}
