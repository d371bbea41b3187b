/** The difficulty head's training: its linear part, then the trees with the strictness of files that it found. */
import type { DifficultyWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import { fileWeights, gradedWeight, slopeOf, type DifficultySamples } from './difficulty-loss.ts'
import { trainLinearDifficulty } from './train-linear-difficulty.ts'
import { trainTrees, type TreeRow } from './train-trees.ts'

/** The same samples in the same order give the same weights. */
export function trainDifficulty(samples: DifficultySamples): DifficultyWeights {
  const { weights, strictness } = trainLinearDifficulty(samples)
  return { ...weights, trees: trainTrees(treeRows(samples, strictness), weights.intercept) }
}

/** Scored prompts weigh 1 on the mean, and graded ones in proportion to it. */
function treeRows(
  { scored, graded }: DifficultySamples,
  strictness: ReadonlyMap<string, number>,
): TreeRow[] {
  const weightOf = fileWeights(scored)
  const scale = scored.length
  return [
    ...scored.map((of): TreeRow => {
      const offset = strictness.get(of.file) ?? 0
      const weight = scale * weightOf(of.file)
      return { values: of.values, weight, slopeAt: (read) => slopeOf(of, read + offset) }
    }),
    ...graded.map((of): TreeRow => {
      const weight = scale * gradedWeight
      return { values: of.values, weight, slopeAt: (read) => slopeOf(of, read) }
    }),
  ]
}
