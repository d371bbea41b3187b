/** What a prompt says of itself, in some tens of microseconds: what it is about, and what a stronger model gains. */
import type { PromptReading } from '../candidate.ts'
import { readGain } from './gain-head.ts'
import { readFeatures, type PromptText } from './prompt-features.ts'
import { shippedWeights, type RoutingWeights } from './routing-weights.ts'
import { readTopics } from './topic-head.ts'

/** With the weights this version ships, or with others, which only their trainer has. */
export function readPrompt(
  text: PromptText,
  { topics, gain }: RoutingWeights = shippedWeights(),
): PromptReading {
  const features = readFeatures(text)
  return { ...readTopics(topics, features), gain: readGain(gain, features.dense) }
}
