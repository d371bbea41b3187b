/** What a model's judged answers are explained by: 37 numbers of a prompt's reading. */
import { domainNames } from '../../shared/app/domains.ts'
import { domainOfTopic, topicNames } from '../../shared/routers/topics.ts'

/** The features of a prompt that are read before it is sent. */
export interface FitReading {
  /** Probability of each topic, in the order of `topicNames`. */
  topics: readonly number[]
  /** A logit. */
  difficulty: number
}

const firstDomain = 1
const firstTopic = firstDomain + domainNames.length
const slope = firstTopic + topicNames.length
/** One, the domains, the topics, the difficulty. */
export const fitFeatureCount = slope + 1

/** Difficulties are counted from an average prompt, and an extreme one counts no more than this. */
const averageDifficulty = -0.5
const extremeDifficulty = 2.5

/** One value for each part of the features, for example its strength. */
export interface FitParts {
  constant: number
  domain: number
  topic: number
  difficulty: number
}

export function fitFeatures({ topics, difficulty }: FitReading): Float64Array {
  const features = new Float64Array(fitFeatureCount)
  features[0] = 1
  for (let topic = 0; topic < topicNames.length; topic += 1) {
    const probability = topics[topic] ?? 0
    const domain = firstDomain + (domainOfTopic[topic] ?? 0)
    features[domain] = (features[domain] ?? 0) + probability
    features[firstTopic + topic] = probability
  }
  features[slope] = centred(difficulty)
  return features
}

/**
 * The sum over the features of a prompt, each times its coefficient: a logit.
 * @param topics  null when the prompt was not read: only constant and difficulty count
 */
export function ownLogit(
  coefficients: readonly number[],
  { topics, difficulty }: { topics: readonly number[] | null; difficulty: number },
): number {
  let logit = ofAnyTopic(coefficients, difficulty)
  if (topics === null) return logit
  for (let topic = 0; topic < topicNames.length; topic += 1) {
    logit += (topics[topic] ?? 0) * ofTopicAlone(coefficients, topic)
  }
  return logit
}

/** The same for a prompt that is certainly of this topic. */
export function ownLogitOfTopic(
  coefficients: readonly number[],
  topic: number,
  difficulty: number,
): number {
  return ofAnyTopic(coefficients, difficulty) + ofTopicAlone(coefficients, topic)
}

function ofAnyTopic(coefficients: readonly number[], difficulty: number): number {
  return (coefficients[0] ?? 0) + (coefficients[slope] ?? 0) * centred(difficulty)
}

function ofTopicAlone(coefficients: readonly number[], topic: number): number {
  const ofDomain = coefficients[firstDomain + (domainOfTopic[topic] ?? 0)] ?? 0
  return ofDomain + (coefficients[firstTopic + topic] ?? 0)
}

/** The value of the part that each feature belongs to, in the order of the features. */
export function byFeature({ constant, domain, topic, difficulty }: FitParts): number[] {
  return [constant, ...domainNames.map(() => domain), ...topicNames.map(() => topic), difficulty]
}

function centred(difficulty: number): number {
  const above = difficulty - averageDifficulty
  return Math.min(extremeDifficulty, Math.max(-extremeDifficulty, above))
}
