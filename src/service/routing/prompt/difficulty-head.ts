/**
 * How hard a prompt is, on the logit: by a linear model of its instruction, its topics and its words, and by small trees. A model of 1300 points answers a prompt of difficulty 0 well half the time.
 */
import {
  difficultyFeatureNames,
  fillDifficultyFeatures,
  linearFeatureNames,
} from './difficulty-features.ts'
import { reasonsOfFeatures } from './difficulty-reasons.ts'
import { readTrees } from './difficulty-trees.ts'
import { standardised } from './gain-head.ts'
import type { InstructionFeatures } from './instruction-features.ts'
import type { DifficultyWeights } from './routing-weights.ts'

/** Share of the linear model in the mean. Trees alone order exams as well, and everyday prompts worse. */
const linearShare = 0.2
const leastDifficulty = -4
const greatestDifficulty = 2.5

export interface DifficultyReading {
  difficulty: number
  /** Reasons why the prompt is harder or easier than usual, the strongest first; at most three. */
  reasons: string[]
}

/** Buffers between two prompts; readings never overlap. */
const values = new Float64Array(difficultyFeatureNames.length)
const contributions = new Float64Array(linearFeatureNames.length)

/**
 * The reasons are those of the linear part, because trees have none that a person would follow.
 * @param topics  probabilities in the order of `topicNames`
 * @param form  in the order of `denseFeatureNames`
 */
export function readDifficulty(
  head: DifficultyWeights,
  instruction: InstructionFeatures,
  { topics, form }: { topics: readonly number[]; form: Float64Array },
): DifficultyReading {
  fillDifficultyFeatures(values, { instruction: instruction.dense, topics, form })
  const linear = readLinear(head, instruction.stems)
  const difficulty = linearShare * linear + (1 - linearShare) * readTrees(head.trees, values)
  const limited = Math.min(greatestDifficulty, Math.max(leastDifficulty, difficulty))
  return {
    difficulty: limited,
    reasons: reasonsOfFeatures(contributions, head.coefficients, limited),
  }
}

/** Sums the buffered values; replaces each with its contribution. */
function readLinear(head: DifficultyWeights, stems: Uint16Array): number {
  let difficulty = head.intercept
  for (let index = 0; index < contributions.length; index += 1) {
    const standard = standardised(values[index] ?? 0, head, index)
    const contribution = (head.coefficients[index] ?? 0) * standard
    contributions[index] = contribution
    difficulty += contribution
  }
  let ofWords = 0
  for (const stem of stems) ofWords += head.stems[stem] ?? 0
  return difficulty + ofWords * head.stemScale * stemValue(stems.length)
}

/** Weight of each of `count` different words. */
export function stemValue(count: number): number {
  return count === 0 ? 0 : 1 / Math.sqrt(count)
}
