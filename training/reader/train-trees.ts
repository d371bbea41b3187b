/**
 * The trees' training: gradient boosting by histograms. Each tree follows the slope of the loss at the difficulties
 * that the trees before it read, and grows leaf by leaf. The same rows in the same order give the same trees.
 */
import {
  leavesPerTree,
  treeCount,
  type DifficultyTrees,
} from '../../src/service/routing/prompt/difficulty-trees.ts'
import { binned, type Binned } from './bin-features.ts'
import { growTree, type GrownTree } from './grow-tree.ts'
import { seededRandom } from './random.ts'

/** A prompt as the trees learn from it. */
export interface TreeRow {
  /** Values in the order of `difficultyFeatureNames`. */
  values: Float64Array
  weight: number
  /** Slope of the loss by the difficulty that is read, before its weight. */
  slopeAt(difficulty: number): { slope: number; curvature: number }
}

const rate = 0.1
const rowShare = 0.7
const featureShare = 0.3
const seed = 26
const greatestByte = 127

/** @param start  the difficulty that the first tree corrects */
export function trainTrees(rows: readonly TreeRow[], start: number): DifficultyTrees {
  const data = binned(rows.map(({ values }) => values))
  const random = seededRandom(seed)
  const read = new Float64Array(rows.length).fill(start)
  const trees: GrownTree[] = []
  while (trees.length < treeCount) {
    const tree = growTree(data, {
      ...slopesAt(rows, read),
      rows: Int32Array.from([...rows.keys()].filter(() => random() < rowShare)),
      features: data.columns.flatMap((_, feature) => (random() < featureShare ? [feature] : [])),
    })
    addTo(read, tree, data)
    trees.push(tree)
  }
  return packed(trees, data, start)
}

function slopesAt(rows: readonly TreeRow[], read: Float64Array) {
  const slopes = new Float64Array(rows.length)
  const curvatures = new Float64Array(rows.length)
  for (const [index, { weight, slopeAt }] of rows.entries()) {
    const { slope, curvature } = slopeAt(read[index] ?? 0)
    slopes[index] = weight * slope
    curvatures[index] = weight * curvature
  }
  return { slopes, curvatures }
}

/** Rows that the tree was not grown from are read by it, too. */
function addTo(read: Float64Array, { splits, leaves }: GrownTree, { columns }: Binned): void {
  for (let row = 0; row < read.length; row += 1) {
    let node = splits.length === 0 ? -1 : 0
    while (node >= 0) {
      const split = splits[node]
      const isAbove = (columns[split?.feature ?? 0]?.[row] ?? 0) > (split?.bin ?? 0)
      node = (isAbove ? split?.above : split?.below) ?? -1
    }
    read[row] = (read[row] ?? 0) + rate * (leaves[-1 - node] ?? 0)
  }
}

/** All nodes by feature and threshold; the leaves of a tree from the lowest values to the greatest. */
function packed(grown: readonly GrownTree[], { borders }: Binned, start: number): DifficultyTrees {
  const ordered = grown.map(inOrder)
  const nodes = ordered
    .flatMap(({ nodes: ofTree }, tree) => ofTree.map((node) => ({ ...node, tree })))
    .toSorted((a, b) => a.feature - b.feature || a.bin - b.bin)
  const greatest = Math.max(...grown.flatMap((tree) => tree.leaves.map(Math.abs)))
  const leafScale = Number(((rate * greatest) / greatestByte || 1).toPrecision(6))
  const leaves = new Int8Array(treeCount * leavesPerTree)
  for (const [tree, { values }] of ordered.entries()) {
    const steps = values.map((value) => Math.round((rate * value) / leafScale))
    leaves.set(steps, tree * leavesPerTree)
  }
  return {
    start: Number(start.toFixed(5)),
    ends: borders.map((_, feature) => nodes.filter((node) => node.feature <= feature).length),
    thresholds: Float32Array.from(nodes, ({ feature, bin }) => borders[feature]?.[bin] ?? 0),
    trees: Uint8Array.from(nodes, ({ tree }) => tree),
    masks: Uint16Array.from(nodes, ({ mask }) => mask),
    leaves,
    leafScale,
  }
}

/** Numbers the leaves from below to above, and gives each node the mask that closes those below it. */
function inOrder({ splits, leaves }: GrownTree) {
  const nodes: { feature: number; bin: number; mask: number }[] = []
  const values: number[] = []
  const visit = (place: number): void => {
    const split = splits[place]
    if (place < 0 || split === undefined) {
      values.push(leaves[place < 0 ? -1 - place : 0] ?? 0)
      return
    }
    const from = values.length
    visit(split.below)
    const closed = (1 << values.length) - (1 << from)
    nodes.push({ feature: split.feature, bin: split.bin, mask: 0xffff & ~closed })
    visit(split.above)
  }
  visit(0)
  return { nodes, values }
}
