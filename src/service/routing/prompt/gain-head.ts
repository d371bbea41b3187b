/**
 * How much likelier the stronger of two models is to answer a prompt well than the weaker one: a linear
 * regression on the dense features. It predicts the gain and not the difficulty, because a prompt that is
 * hard for one model is often hard for both.
 */
import type { GainWeights } from './routing-weights.ts'

/** Features are limited to this many standard deviations, because prompts do not get harder without end. */
export const featureLimit = 3

/** @param dense  in the order of `denseFeatureNames` @returns -1 to 1 */
export function readGain(head: GainWeights, dense: Float64Array): number {
  const { coefficients, intercept } = head
  let gain = intercept
  for (let index = 0; index < dense.length; index += 1) {
    gain += (coefficients[index] ?? 0) * standardised(dense[index] ?? 0, head, index)
  }
  return Math.min(1, Math.max(-1, gain))
}

export function standardised(
  value: number,
  { means, deviations }: Pick<GainWeights, 'means' | 'deviations'>,
  index: number,
): number {
  const standard = (value - (means[index] ?? 0)) / (deviations[index] ?? 1)
  return Math.min(featureLimit, Math.max(-featureLimit, standard))
}
