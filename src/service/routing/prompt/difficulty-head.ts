/**
 * How hard a prompt is, on the logit: a linear model of its instruction, its topics and the beginnings of its
 * words. A model of 1300 points answers a prompt of difficulty 0 well half the time.
 */
import { topicNames } from '../../../shared/topics.ts'
import { standardised } from './gain-head.ts'
import { instructionFeatureNames, type InstructionFeatures } from './instruction-features.ts'
import type { DifficultyWeights } from './routing-weights.ts'

export const leastDifficulty = -4
export const greatestDifficulty = 2.5

/** What the head's coefficients are of, in their order. */
export const difficultyFeatureNames = [...instructionFeatureNames, ...topicNames] as const

/** @param topics  probabilities in the order of `topicNames` */
export function readDifficulty(
  head: DifficultyWeights,
  instruction: InstructionFeatures,
  topics: readonly number[],
): number {
  const { coefficients, intercept, stems, stemScale } = head
  const { dense } = instruction
  let difficulty = intercept
  for (let index = 0; index < coefficients.length; index += 1) {
    const value = index < dense.length ? dense[index] : topics[index - dense.length]
    difficulty += (coefficients[index] ?? 0) * standardised(value ?? 0, head, index)
  }
  let sum = 0
  for (const stem of instruction.stems) sum += stems[stem] ?? 0
  difficulty += sum * stemScale * stemValue(instruction.stems.length)
  return Math.min(greatestDifficulty, Math.max(leastDifficulty, difficulty))
}

/** What each of so many different words counts. */
export function stemValue(count: number): number {
  return count === 0 ? 0 : 1 / Math.sqrt(count)
}
