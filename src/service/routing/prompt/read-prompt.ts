/** Reads a prompt's topic and the gain of a stronger model, in some tens of microseconds. */
import type { ExplainedReading } from '../candidate.ts'
import { withOwnKinds, type OwnKinds } from '../own-kinds.ts'
import { readDifficulty } from './difficulty-head.ts'
import { readGain } from './gain-head.ts'
import { readFeatures, type PromptText } from './prompt-features.ts'
import { readInstruction } from './instruction-features.ts'
import { shippedWeights, type RoutingWeights } from './routing-weights.ts'
import { readTopics } from './topic-head.ts'

/**
 * Uses the weights that this version ships, or those that are being trained.
 * @param kinds  corrects the topics to those of this user; null when no judge has named any
 */
export function readPrompt(
  text: PromptText,
  { topics: head, gain, difficulty }: RoutingWeights = shippedWeights(),
  kinds: OwnKinds | null = null,
): ExplainedReading {
  const features = readFeatures(text)
  const topics = readTopics(head, features)
  const instruction = readInstruction(text.lastUser)
  const read = readDifficulty(difficulty, instruction, {
    topics: topics.topics,
    form: features.dense,
  })
  const reading = {
    ...topics,
    gain: readGain(gain, features.dense),
    difficulty: read.difficulty,
  }
  return { ...withOwnKinds(reading, kinds, features.dense), difficultyReasons: read.reasons }
}
