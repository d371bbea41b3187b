/**
 * The topics of a prompt: a logistic regression per topic over hashed words. Each is trained against the rest,
 * so an unknown kind of prompt has a low probability everywhere instead of a high one for some topic.
 */
import { domainNames } from '../../../shared/app/domains.ts'
import { sigmoid } from '../../../shared/models/quality-scale.ts'
import type { PromptFeatures } from './prompt-features.ts'
import type { TopicWeights } from './routing-weights.ts'
import { domainOfTopic, topicNames } from '../../../shared/routers/topics.ts'

export interface TopicReading {
  /** Probability of each topic, in the order of `topicNames`; the sum is 1. */
  topics: number[]
  /** The same by domain, in the order of `domainNames`. */
  domains: number[]
  /** The sum of the likeliest domain's topic probabilities before normalization, 0 to 1. */
  confidence: number
}

export function readTopics(head: TopicWeights, features: PromptFeatures): TopicReading {
  const topics = scoresOf(head, features)
  const domains = domainNames.map(() => 0)
  let total = 0
  for (let topic = 0; topic < topics.length; topic += 1) {
    const score = topics[topic] ?? 0
    const domain = domainOfTopic[topic] ?? 0
    total += score
    domains[domain] = (domains[domain] ?? 0) + score
  }
  const confidence = Math.min(1, Math.max(...domains))
  return { topics: scaled(topics, 1 / total), domains: scaled(domains, 1 / total), confidence }
}

/** Each topic's own probability, above 0 and up to 1; not normalized. */
function scoresOf({ bias, scales, weights }: TopicWeights, features: PromptFeatures): number[] {
  const sums = new Float64Array(topicNames.length)
  const count = features.buckets.length
  const inFours = count - (count % 4)
  for (let place = 0; place < inFours; place += 4) addFourRows({ sums, weights }, features, place)
  for (let place = inFours; place < count; place += 1) addRow({ sums, weights }, features, place)
  return topicNames.map((_, topic) => sigmoid(bias + (scales[topic] ?? 0) * (sums[topic] ?? 0)))
}

/** Sums of the topics, and the rows of weights that are added to them. */
interface Sums {
  sums: Float64Array
  weights: Int8Array
}

/** The same as `addRow` for four places; the processor fetches their memory together, in 60 % of the time. */
function addFourRows(
  { sums, weights }: Sums,
  { buckets, weights: values }: PromptFeatures,
  place: number,
): void {
  const a = (buckets[place] ?? 0) * sums.length
  const b = (buckets[place + 1] ?? 0) * sums.length
  const c = (buckets[place + 2] ?? 0) * sums.length
  const d = (buckets[place + 3] ?? 0) * sums.length
  const [ofA = 0, ofB = 0, ofC = 0, ofD = 0] = [
    values[place],
    values[place + 1],
    values[place + 2],
    values[place + 3],
  ]
  for (let topic = 0; topic < sums.length; topic += 1) {
    sums[topic] =
      (sums[topic] ?? 0) +
      ofA * (weights[a + topic] ?? 0) +
      ofB * (weights[b + topic] ?? 0) +
      ofC * (weights[c + topic] ?? 0) +
      ofD * (weights[d + topic] ?? 0)
  }
}

function addRow(
  { sums, weights }: Sums,
  { buckets, weights: values }: PromptFeatures,
  place: number,
): void {
  const start = (buckets[place] ?? 0) * sums.length
  const value = values[place] ?? 0
  for (let topic = 0; topic < sums.length; topic += 1) {
    sums[topic] = (sums[topic] ?? 0) + value * (weights[start + topic] ?? 0)
  }
}

function scaled(values: readonly number[], factor: number): number[] {
  return values.map((value) => value * factor)
}
