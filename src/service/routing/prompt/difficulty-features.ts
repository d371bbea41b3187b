/** The numbers from which a prompt's difficulty is read. */
import { topicNames } from '../../../shared/routers/topics.ts'
import { denseFeatureNames } from './dense-feature-names.ts'
import { instructionFeatureNames } from './instruction-features.ts'

/** Features of the linear part: the instruction, and the topics of the whole prompt. */
export const linearFeatureNames = [...instructionFeatureNames, ...topicNames] as const

/** Features of the trees: the same, and the form of the whole prompt. */
export const difficultyFeatureNames = [...linearFeatureNames, ...denseFeatureNames] as const

export interface DifficultyParts {
  /** Features in the order of `instructionFeatureNames`. */
  instruction: Float64Array
  /** Probabilities in the order of `topicNames`. */
  topics: readonly number[]
  /** Features in the order of `denseFeatureNames`. */
  form: Float64Array
}

/** @param values  is filled in the order of `difficultyFeatureNames` */
export function fillDifficultyFeatures(
  values: Float64Array,
  { instruction, topics, form }: DifficultyParts,
): Float64Array {
  values.set(instruction)
  values.set(topics, instruction.length)
  values.set(form, linearFeatureNames.length)
  return values
}
