/** Reads a prompt's topic and the gain of a stronger model, in some tens of microseconds. */
import type { PromptReading } from '../candidate.ts'
import { readDifficulty } from './difficulty-head.ts'
import { readGain } from './gain-head.ts'
import { readFeatures, type PromptText } from './prompt-features.ts'
import { readInstruction } from './instruction-features.ts'
import { shippedWeights, type RoutingWeights } from './routing-weights.ts'
import { readTopics } from './topic-head.ts'

/** Uses the weights that this version ships, or those that are being trained. */
export function readPrompt(
  text: PromptText,
  { topics, gain, difficulty }: RoutingWeights = shippedWeights(),
): PromptReading {
  const features = readFeatures(text)
  const kinds = readTopics(topics, features)
  const instruction = readInstruction(text.lastUser)
  return {
    ...kinds,
    gain: readGain(gain, features.dense),
    difficulty: readDifficulty(difficulty, instruction, kinds.topics),
  }
}
