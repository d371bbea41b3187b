/** The topic head's training: a logistic regression per topic over hashed words, by AdaGrad. */
import { bucketCount } from '../../src/service/routing/prompt/bucket-counts.ts'
import { readFeatures } from '../../src/service/routing/prompt/prompt-features.ts'
import type { PromptFeatures } from '../../src/service/routing/prompt/prompt-features.ts'
import type { TopicWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import { topicNames, type Topic } from '../../src/shared/routers/topics.ts'
import { shuffled } from './random.ts'

export interface TopicSample {
  features: PromptFeatures
  /** Place in `topicNames`. */
  topic: number
}

const epochs = 8
const rate = 0.5
const ridge = 2e-6
/** The same for all and not learnt: words nobody knows are no topic's, 1 in 20. */
const bias = -3
/** Errors smaller than this teach nothing worth the time. */
const leastError = 0.01
/** Every topic weighs the same, however many prompts it has; but one prompt not as much as this many. */
const greatestImportance = 20

const topicCount = topicNames.length
const greatestByte = 127

export function toTopicSample(prompt: string, topic: Topic): TopicSample {
  return {
    features: readFeatures({ lastUser: prompt, system: '' }),
    topic: topicNames.indexOf(topic),
  }
}

/** The same samples in the same order give the same weights. */
export function trainTopics(samples: readonly TopicSample[]): TopicWeights {
  const state = {
    weights: new Float32Array(bucketCount * topicCount),
    squares: new Float32Array(bucketCount * topicCount).fill(1e-3),
  }
  const importance = importanceOf(samples)
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    for (const sample of shuffled(samples, epoch)) {
      const scores = scoresOf(state, sample.features)
      learn(state, sample, errorsOf(scores, sample.topic, importance[sample.topic] ?? 1))
    }
  }
  return quantised(state)
}

interface State {
  weights: Float32Array
  squares: Float32Array
}

function scoresOf({ weights }: State, { buckets, weights: values }: PromptFeatures) {
  const sums = new Float64Array(topicCount).fill(bias)
  for (let place = 0; place < buckets.length; place += 1) {
    const value = values[place] ?? 0
    const start = (buckets[place] ?? 0) * topicCount
    for (let topic = 0; topic < topicCount; topic += 1) {
      sums[topic] = (sums[topic] ?? 0) + value * (weights[start + topic] ?? 0)
    }
  }
  return sums.map((sum) => 1 / (1 + Math.exp(-sum)))
}

function errorsOf(scores: Float64Array, truth: number, importance: number): Float64Array {
  return scores.map((score, topic) => {
    const error = importance * (score - (topic === truth ? 1 : 0))
    return Math.abs(error) < leastError ? 0 : error
  })
}

function learn({ weights, squares }: State, { features }: TopicSample, errors: Float64Array) {
  const taught = [...errors.keys()].filter((topic) => errors[topic] !== 0)
  const { buckets, weights: values } = features
  for (let place = 0; place < buckets.length; place += 1) {
    const value = values[place] ?? 0
    const start = (buckets[place] ?? 0) * topicCount
    for (const topic of taught) {
      const at = start + topic
      const weight = weights[at] ?? 0
      const gradient = (errors[topic] ?? 0) * value + ridge * weight
      const square = (squares[at] ?? 0) + gradient * gradient
      squares[at] = square
      weights[at] = weight - (rate * gradient) / Math.sqrt(square)
    }
  }
}

function importanceOf(samples: readonly TopicSample[]): number[] {
  const counts = topicNames.map(() => 0)
  for (const { topic } of samples) counts[topic] = (counts[topic] ?? 0) + 1
  return counts.map((count) =>
    Math.min(greatestImportance, samples.length / (topicCount * Math.max(1, count))),
  )
}

/** The weights as signed bytes, with a scale for each topic. */
function quantised({ weights }: State): TopicWeights {
  const greatest = topicNames.map(() => 0)
  for (let at = 0; at < weights.length; at += 1) {
    const topic = at % topicCount
    greatest[topic] = Math.max(greatest[topic] ?? 0, Math.abs(weights[at] ?? 0))
  }
  const scales = greatest.map((most) => Number((most / greatestByte || 1).toPrecision(6)))
  const bytes = new Int8Array(weights.length)
  for (let at = 0; at < weights.length; at += 1) {
    bytes[at] = Math.round((weights[at] ?? 0) / (scales[at % topicCount] ?? 1))
  }
  return { bias, scales, weights: bytes }
}
