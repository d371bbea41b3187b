/**
 * How hard a prompt is, on the logit: a linear model of its instruction, its topics and its words. A model of
 * 1300 points answers a prompt of difficulty 0 well half the time.
 */
import { topicNames } from '../../../shared/topics.ts'
import { reasonsOfFeatures } from './difficulty-reasons.ts'
import { standardised } from './gain-head.ts'
import { instructionFeatureNames, type InstructionFeatures } from './instruction-features.ts'
import type { DifficultyWeights } from './routing-weights.ts'

const leastDifficulty = -4
const greatestDifficulty = 2.5

/** What the head's coefficients are of, in their order. */
export const difficultyFeatureNames = [...instructionFeatureNames, ...topicNames] as const

export interface DifficultyReading {
  difficulty: number
  /** What makes the prompt harder or easier than usual, the strongest first; at most three. */
  reasons: string[]
}

/** A buffer between two prompts; readings never overlap. */
const contributions = new Float64Array(difficultyFeatureNames.length)

/** @param topics  probabilities in the order of `topicNames` */
export function readDifficulty(
  head: DifficultyWeights,
  { dense, stems }: InstructionFeatures,
  topics: readonly number[],
): DifficultyReading {
  let difficulty = head.intercept
  for (let index = 0; index < contributions.length; index += 1) {
    const value = (index < dense.length ? dense[index] : topics[index - dense.length]) ?? 0
    const contribution = (head.coefficients[index] ?? 0) * standardised(value, head, index)
    contributions[index] = contribution
    difficulty += contribution
  }
  let ofWords = 0
  for (const stem of stems) ofWords += head.stems[stem] ?? 0
  difficulty += ofWords * head.stemScale * stemValue(stems.length)
  const limited = Math.min(greatestDifficulty, Math.max(leastDifficulty, difficulty))
  return {
    difficulty: limited,
    reasons: reasonsOfFeatures(contributions, head.coefficients, limited),
  }
}

/** What each of so many different words counts. */
export function stemValue(count: number): number {
  return count === 0 ? 0 : 1 / Math.sqrt(count)
}
