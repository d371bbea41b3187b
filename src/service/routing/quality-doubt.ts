/**
 * How uncertain an expected quality is, as a variance of its logit: of the model as a whole, and of each kind of
 * prompt. Measured as the spread of models around their ratings on public answers, and lowered by judged answers.
 */
import { topicNames } from '../../shared/routers/topics.ts'
import type { QualityPrior } from './candidate.ts'
import { addProducts, factorised, solveFactored } from './solve-symmetric.ts'

/** Standard deviations in logits. */
const ratedDeviation = 0.27
const unratedDeviation = 0.6
const topicDeviation = 0.3

/** The model as a whole, and each topic. */
const size = topicNames.length + 1

/** Variance before any answer was judged. @param topics  null when the prompt was not read */
export function priorVariance(
  { basis }: Pick<QualityPrior, 'basis'>,
  topics: readonly number[] | null,
): number {
  let squares = 0
  for (const probability of topics ?? []) squares += probability * probability
  return modelVariance(basis === 'rated') + topicDeviation ** 2 * squares
}

/** A judged answer: its prompt's topics, and what it says about the logit. */
export interface Evidence {
  topics: readonly number[]
  /** p · (1 − p) of the answer, times its weight. */
  information: number
}

/** Covariance of a model's fit after these answers: a symmetric matrix, row by row. */
export function judgedCovariance(answers: readonly Evidence[], isRated: boolean): Float64Array {
  const precision = new Float64Array(size * size)
  precision[0] = 1 / modelVariance(isRated)
  for (let at = 1; at < size; at += 1) precision[at * (size + 1)] = 1 / topicDeviation ** 2
  for (const { topics, information } of answers) {
    addProducts(precision, Float64Array.of(1, ...topics), information)
  }
  const factor = factorised(precision, size)
  const covariance = new Float64Array(size * size)
  for (let row = 0; row < size; row += 1) {
    const unit = new Float64Array(size)
    unit[row] = 1
    covariance.set(solveFactored(factor, unit), row * size)
  }
  return covariance
}

/** Least probability of a topic; less likely ones change nothing that can be seen. */
const leastProbability = 0.01

/** Variance of the quality for a prompt with these topics. */
export function judgedVariance(covariance: Float64Array, topics: readonly number[] | null): number {
  const likely: number[] = []
  for (const [topic, probability] of (topics ?? []).entries()) {
    if (probability >= leastProbability) likely.push(topic)
  }
  let variance = covariance[0] ?? 0
  for (const topic of likely) {
    const row = (topic + 1) * size
    let sum = 2 * (covariance[row] ?? 0)
    for (const other of likely) sum += (covariance[row + other + 1] ?? 0) * (topics?.[other] ?? 0)
    variance += sum * (topics?.[topic] ?? 0)
  }
  return variance
}

function modelVariance(isRated: boolean): number {
  return (isRated ? ratedDeviation : unratedDeviation) ** 2
}
