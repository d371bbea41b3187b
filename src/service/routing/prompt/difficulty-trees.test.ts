/** Reading the trees' part of a difficulty. */
import { expect, test } from 'vitest'
import { leavesPerTree, readTrees, treeCount } from './difficulty-trees.ts'

/** The first tree asks for feature 1, then above it for feature 0; the second and all others are one leaf. */
function someTrees() {
  const leaves = new Int8Array(treeCount * leavesPerTree)
  leaves.set([-20, 10, 40])
  leaves[leavesPerTree] = 2
  return {
    start: -1,
    ends: [1, 2],
    thresholds: Float32Array.of(3, 0.5),
    trees: Uint8Array.of(0, 0),
    masks: Uint16Array.of(0xffff - 0b010, 0xffff - 0b001),
    leaves,
    leafScale: 0.1,
  }
}

test.each([
  { what: 'a value at the threshold goes below', values: [9, 0.5], leaf: -2 },
  { what: 'a greater one goes above, to a node', values: [3, 0.6], leaf: 1 },
  { what: 'and from there to a leaf', values: [4, 0.6], leaf: 4 },
])('$what; the leaves of all trees add up', ({ values, leaf }) => {
  expect(readTrees(someTrees(), Float64Array.from(values))).toBeCloseTo(-1 + leaf + 0.2)
})
