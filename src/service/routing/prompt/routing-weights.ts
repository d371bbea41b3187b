/** The trained weights in `resources/routing-weights.json`, written by `node bench/train-routing.ts`. */
import { z } from 'zod'
import weightsFile from '../../../../resources/routing-weights.json' with { type: 'json' }
import { bucketCount, denseFeatureNames } from './prompt-features.ts'
import { topicNames } from '../../../shared/topics.ts'

const perDense = z.array(z.number()).length(denseFeatureNames.length).readonly()
const perTopic = z.array(z.number()).length(topicNames.length).readonly()

export const weightsFileSchema = z.strictObject({
  /** The training data and method, for people and for the bench, which must not test on the same data. */
  provenance: z.strictObject({
    command: z.string(),
    date: z.iso.date(),
    features: z.string(),
    sources: z.array(
      z.strictObject({
        name: z.string(),
        /** SHA-256 of the file's text. */
        hash: z.string().length(64),
        prompts: z.int(),
        usedFor: z.array(z.enum(['topics', 'gain'])),
        licence: z.string(),
      }),
    ),
  }),
  topics: z.strictObject({
    /** Must be this version's list, because the weights are in its order. */
    names: z.array(z.enum(topicNames)),
    /** Of every topic, without any features. */
    bias: z.number(),
    /** The value of one step of the integers below, by topic. */
    scales: perTopic,
    /** Signed bytes by bucket, and within each bucket in the order of the names; base64. */
    weights: z.string(),
  }),
  gain: z.strictObject({
    means: perDense,
    deviations: perDense,
    coefficients: perDense,
    intercept: z.number(),
  }),
})
export type WeightsFile = z.infer<typeof weightsFileSchema>

export interface TopicWeights {
  bias: number
  scales: readonly number[]
  /** Bucket by bucket, in the order of `topicNames` within each. */
  weights: Int8Array
}

export interface GainWeights {
  /** Of the dense features in the training data. */
  means: readonly number[]
  deviations: readonly number[]
  coefficients: readonly number[]
  /** The gain of a prompt with average features. */
  intercept: number
}

export interface RoutingWeights {
  topics: TopicWeights
  gain: GainWeights
}

/** @throws ZodError or Error when the file does not fit this version */
export function decodeWeights(file: unknown): RoutingWeights {
  const { topics, gain } = weightsFileSchema.parse(file)
  if (topics.names.join() !== topicNames.join()) throw new Error('topics of another version')
  const weights = decodeBase64(topics.weights)
  if (weights.length !== bucketCount * topicNames.length) throw new Error('weights are missing')
  return { topics: { ...topics, weights }, gain }
}

let shipped: RoutingWeights | null = null

/** Decoded at the first request that needs them, not at the start. */
export function shippedWeights(): RoutingWeights {
  shipped ??= decodeWeights(weightsFile)
  return shipped
}

function decodeBase64(text: string): Int8Array {
  const binary = atob(text)
  const bytes = new Int8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}
