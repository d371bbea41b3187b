/** What both parts of the difficulty head learn from, and the loss that both make small. */
import { sigmoid } from '../../src/shared/models/quality-scale.ts'

/** A prompt as the head reads it. */
export interface DifficultyFeatures {
  /** Values in the order of `difficultyFeatureNames`. */
  values: Float64Array
  stems: Uint16Array
}

/** A prompt and what models of known points made of it. */
export interface ScoredPrompt extends DifficultyFeatures {
  file: string
  /** Logits of the answers to a prompt of difficulty 0. */
  logits: readonly number[]
  /** 0 to 1, in the order of the logits. */
  scores: readonly number[]
  /** The probability of a right answer by chance. */
  chance: number
}

export interface GradedFeatures extends DifficultyFeatures {
  difficulty: number
}

export interface DifficultySamples {
  scored: readonly ScoredPrompt[]
  graded: readonly GradedFeatures[]
}

/**
 * What a graded prompt's squared error weighs beside the mean log loss. Twice as much costs the order of exams 0.03 and brings
 * the order of everyday prompts 0.01.
 */
export const gradedWeight = 0.0001

/** A file weighs as the square root of its prompts; the sum over all prompts of all files is 1. */
export function fileWeights(scored: readonly ScoredPrompt[]): (file: string) => number {
  const counts = new Map<string, number>()
  for (const { file } of scored) counts.set(file, (counts.get(file) ?? 0) + 1)
  const total = [...counts.values()].reduce((sum, count) => sum + Math.sqrt(count), 0)
  return (file) => 1 / (total * Math.sqrt(counts.get(file) ?? 1))
}

/** Derivative of a prompt's loss by its difficulty: the squared error of its grade, or its answers' mean log loss. */
export function slopeOf(of: ScoredPrompt | GradedFeatures, difficulty: number) {
  if ('difficulty' in of) return { slope: 2 * (difficulty - of.difficulty), curvature: 2 }
  const { logits, scores, chance } = of
  let slope = 0
  let curvature = 0
  for (let model = 0; model < logits.length; model += 1) {
    const quality = sigmoid((logits[model] ?? 0) - difficulty)
    const probability = chance + (1 - chance) * quality
    const change = (1 - chance) * quality * (1 - quality)
    const variance = Math.max(1e-6, probability * (1 - probability))
    slope += (((scores[model] ?? 0) - probability) * change) / variance
    curvature += (change * change) / variance
  }
  return { slope: slope / logits.length, curvature: curvature / logits.length }
}
