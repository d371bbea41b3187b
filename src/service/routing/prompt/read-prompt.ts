/** Reads a prompt's topic and the gain of a stronger model, in some tens of microseconds. */
import type { PromptReading } from '../candidate.ts'
import { unreadDifficulty } from '../../../shared/quality-scale.ts'
import { readGain } from './gain-head.ts'
import { readFeatures, type PromptText } from './prompt-features.ts'
import { shippedWeights, type RoutingWeights } from './routing-weights.ts'
import { readTopics } from './topic-head.ts'

/** Uses the weights that this version ships, or those that are being trained. */
export function readPrompt(
  text: PromptText,
  { topics, gain }: RoutingWeights = shippedWeights(),
): PromptReading {
  const features = readFeatures(text)
  return {
    ...readTopics(topics, features),
    gain: readGain(gain, features.dense),
    difficulty: unreadDifficulty,
  }
}
