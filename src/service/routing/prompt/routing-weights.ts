/** The trained weights in `resources/routing-weights.json`, written by `node training/train-routing.ts`. */
import { z } from 'zod'
import weightsFile from '../../../../resources/routing-weights.json' with { type: 'json' }
import { denseFeatureNames } from './dense-feature-names.ts'
import { bucketCount } from './bucket-counts.ts'
import { difficultyFeatureNames, linearFeatureNames } from './difficulty-features.ts'
import { leavesPerTree, treeCount, type DifficultyTrees } from './difficulty-trees.ts'
import { stemCount } from './instruction-features.ts'
import { logitsPer100Points } from '../../../shared/models/quality-scale.ts'
import { topicNames } from '../../../shared/routers/topics.ts'

const perDense = z.array(z.number()).length(denseFeatureNames.length).readonly()
const perDifficulty = z.array(z.number()).length(linearFeatureNames.length).readonly()
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
        usedFor: z.array(z.enum(['topics', 'gain', 'difficulty'])),
        licence: z.string(),
      }),
    ),
  }),
  topics: z.strictObject({
    /** Must be this version's list, because the weights are in its order. */
    names: z.array(z.enum(topicNames)),
    /** Logit of every topic without any features. */
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
  difficulty: z.strictObject({
    /** Scale that it was trained on, which must be this version's. */
    logitsPer100Points: z.literal(logitsPer100Points),
    means: perDifficulty,
    deviations: perDifficulty,
    coefficients: perDifficulty,
    intercept: z.number(),
    /** Signed bytes by bucket of a word's beginning; base64. */
    stems: z.string(),
    /** The value of one step of these bytes. */
    stemScale: z.number(),
    trees: z.strictObject({
      start: z.number(),
      ends: z.array(z.int()).length(difficultyFeatureNames.length).readonly(),
      /** Little-endian 32-bit numbers; base64, as all below. */
      thresholds: z.string(),
      /** Bytes. */
      trees: z.string(),
      /** Little-endian 16-bit numbers. */
      masks: z.string(),
      /** Signed bytes. */
      leaves: z.string(),
      leafScale: z.number(),
    }),
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
  /** Means of the dense features in the training data. */
  means: readonly number[]
  deviations: readonly number[]
  coefficients: readonly number[]
  /** The gain of a prompt with average features. */
  intercept: number
}

export interface DifficultyWeights {
  /** Means of the features in the training data, in the order of `linearFeatureNames`. */
  means: readonly number[]
  deviations: readonly number[]
  coefficients: readonly number[]
  /** The difficulty of a prompt with average features. */
  intercept: number
  /** Weights by bucket of a word's beginning, in steps of `stemScale`. */
  stems: Int8Array
  stemScale: number
  trees: DifficultyTrees
}

export interface RoutingWeights {
  topics: TopicWeights
  gain: GainWeights
  difficulty: DifficultyWeights
}

/** @throws ZodError or Error when the file does not fit this version */
export function decodeWeights(file: unknown): RoutingWeights {
  const { topics, gain, difficulty } = weightsFileSchema.parse(file)
  if (topics.names.join() !== topicNames.join()) throw new Error('topics of another version')
  const weights = decodeBase64(topics.weights)
  if (weights.length !== bucketCount * topicNames.length) throw new Error('weights are missing')
  const stems = decodeBase64(difficulty.stems)
  if (stems.length !== stemCount) throw new Error('weights of words are missing')
  const trees = decodeTrees(difficulty.trees)
  return { topics: { ...topics, weights }, gain, difficulty: { ...difficulty, stems, trees } }
}

function decodeTrees(file: WeightsFile['difficulty']['trees']): DifficultyTrees {
  const trees = Uint8Array.from(decodeBase64(file.trees))
  const leaves = decodeBase64(file.leaves)
  const numbers = new DataView(decodeBase64(file.thresholds).buffer)
  const bits = new DataView(decodeBase64(file.masks).buffer)
  const nodes = file.ends.at(-1) ?? 0
  const isWhole = trees.length === nodes && leaves.length === treeCount * leavesPerTree
  if (!isWhole || numbers.byteLength !== 4 * nodes || bits.byteLength !== 2 * nodes) {
    throw new Error('parts of the trees are missing')
  }
  const thresholds = Float32Array.from(trees, (_, node) => numbers.getFloat32(4 * node, true))
  const masks = Uint16Array.from(trees, (_, node) => bits.getUint16(2 * node, true))
  return { ...file, thresholds, trees, masks, leaves }
}

let shipped: RoutingWeights | null = null

/** The shipped weights, decoded at the first request that needs them, not at the start. */
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
