/**
 * A reader of one user's kinds of prompts. The judge of a tuning run names the topic of each prompt, and from
 * these names a correction of the shipped topic head is learnt: a ridge regression of the named topic, less the
 * head's probabilities, on numbers that are stored anyway. These are the head's own probabilities and the dense
 * features. Hashed words instead gain nothing (measured), and they would reveal words by trying a dictionary.
 *
 * What the correction keeps of the prompts is sums over all of them.
 */
import { domainNames } from '../../shared/app/domains.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import { domainOfTopic, topicNames } from '../../shared/routers/topics.ts'
import type { PromptReading } from './candidate.ts'
import { denseFeatureNames } from './prompt/dense-feature-names.ts'
import { shippedWeights } from './prompt/routing-weights.ts'
import { standardised } from './prompt/gain-head.ts'
import { addProducts, factorised, solveFactored } from './solve-symmetric.ts'

/** The values that a correction is computed from, as in a judged prompt's row. */
export interface KindReading {
  topics: readonly number[]
  form: ArrayLike<number>
}

export interface NamedPrompt extends KindReading {
  /** The topic that the judge named; null if it named none. */
  kind: JudgedPrompt['kind']
  /** How much it counts by its age, 0 to 1. */
  weight: number
}

/** Coefficients of a correction for each topic, in the order of its features. */
export type OwnKinds = readonly Float64Array[]

const topicCount = topicNames.length
const firstForm = 1 + topicCount
const featureCount = firstForm + denseFeatureNames.length
/** Strength of the regularisation, in prompts. */
const ridge = 10
/** Corrected probabilities are sharpened: a regression stays between the kinds. */
const sharpness = 2
const leastProbability = 1e-4

/** The dense features with the digits that matter. */
export function formOf(dense: Float64Array): number[] {
  return Array.from(dense, (value) => Math.round(value * 1e4) / 1e4)
}

/** @returns null when no prompt has a named topic */
export function learnKinds(prompts: readonly NamedPrompt[]): OwnKinds | null {
  // Prompts stored by a version with other features are left out: their form cannot be compared with this version's.
  const named = prompts.filter(
    ({ kind, form }) => kind !== null && form.length === denseFeatureNames.length,
  )
  if (named.length === 0) return null
  const matrix = new Float64Array(featureCount * featureCount)
  for (let at = 0; at < featureCount; at += 1) matrix[at * (featureCount + 1)] = ridge
  const rights = topicNames.map(() => new Float64Array(featureCount))
  for (const prompt of named) {
    const features = featuresOf(prompt)
    addProducts(matrix, features, prompt.weight)
    for (const [topic, right] of rights.entries()) {
      const isNamed = topicNames[topic] === prompt.kind ? 1 : 0
      const missing = prompt.weight * (isNamed - (prompt.topics[topic] ?? 0))
      for (let at = 0; at < featureCount; at += 1) {
        right[at] = (right[at] ?? 0) + missing * (features[at] ?? 0)
      }
    }
  }
  const factor = factorised(matrix, featureCount)
  return rights.map((right) => solveFactored(factor, right))
}

/** The topic probabilities as this user's judge would name them; the sum is 1. */
export function correctTopics(kinds: OwnKinds, reading: KindReading): number[] {
  const features = featuresOf(reading)
  const sharpened = kinds.map((coefficients, topic) => {
    let probability = reading.topics[topic] ?? 0
    for (let at = 0; at < featureCount; at += 1) {
      probability += (coefficients[at] ?? 0) * (features[at] ?? 0)
    }
    return Math.max(leastProbability, probability) ** sharpness
  })
  const total = sharpened.reduce((sum, value) => sum + value, 0)
  return sharpened.map((value) => value / total)
}

/** The reading with the topics as this user's judge would name them. */
export function withOwnKinds(
  reading: PromptReading,
  kinds: OwnKinds | null,
  form: ArrayLike<number>,
): PromptReading {
  if (kinds === null) return reading
  const topics = correctTopics(kinds, { topics: reading.topics, form })
  return { ...reading, topics, domains: domainShares(topics) }
}

/** The topics to learn from: the named one, where there is one. */
export function topicsOfNamed(prompt: NamedPrompt, kinds: OwnKinds | null): readonly number[] {
  if (prompt.kind !== null) return topicNames.map((topic) => (topic === prompt.kind ? 1 : 0))
  const isReadable = prompt.form.length === denseFeatureNames.length
  return kinds && isReadable ? correctTopics(kinds, prompt) : prompt.topics
}

/** A one, the logarithms of the probabilities, the dense features: each within about ±2. */
function featuresOf({ topics, form }: KindReading): Float64Array {
  const features = new Float64Array(featureCount)
  features[0] = 1
  for (let topic = 0; topic < topicCount; topic += 1) {
    features[1 + topic] = (Math.log((topics[topic] ?? 0) + 0.01) + 4) / 2
  }
  const scaling = shippedWeights().gain
  for (let at = 0; at < denseFeatureNames.length; at += 1) {
    features[firstForm + at] = standardised(form[at] ?? 0, scaling, at) / 3
  }
  return features
}

/** The probabilities of the domains, in the order of `domainNames`. */
export function domainShares(topics: readonly number[]): number[] {
  const shares = domainNames.map(() => 0)
  for (const [topic, probability] of topics.entries()) {
    const domain = domainOfTopic[topic] ?? 0
    shares[domain] = (shares[domain] ?? 0) + probability
  }
  return shares
}
