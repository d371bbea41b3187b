/**
 * How many tokens a model bills for its answers, by the kind of prompt. Told by their logarithm, because
 * lengths differ by factors; the prior counts as five answers, and later answers by a twentieth each.
 */
import { lnOutputPrior } from '../routing/expected-output.ts'
import type { Lengths } from '../storage/model-statistics.ts'

const priorAnswers = 5
const leastWeight = 0.05

export interface AnswerLength {
  /** Billed; reasoning is. */
  outputTokens: number
  /** At a limit of the request's: it would have been longer. */
  isCutOff: boolean
  /** Probability of each kind of prompt, in the order of `topicNames`. */
  shares: readonly number[]
}

/**
 * The lengths after one more answer. The kinds share what the expectation was off by, each as it was
 * expected to be the prompt's (normalised least mean squares): a prompt that is surely code moves code
 * alone, and one of which nothing is known moves all alike.
 */
export function withLength(
  lengths: Lengths | null,
  { outputTokens, isCutOff, shares }: AnswerLength,
): Lengths {
  const { lnTokens, answers } = lengths ?? {
    lnTokens: [...lnOutputPrior],
    answers: lnOutputPrior.map(() => 0),
  }
  const expected = weigh(lnTokens, shares)
  const off = Math.log(Math.max(1, outputTokens)) - expected
  if (isCutOff && off < 0) return { lnTokens, answers }
  const norm = weigh(shares, shares)
  const weight = Math.max(leastWeight, 1 / (priorAnswers + 1 + weigh(answers, shares)))
  const partOf = (index: number) => (shares[index] ?? 0) / norm
  return {
    lnTokens: lnTokens.map((ln, index) => ln + weight * partOf(index) * off),
    answers: answers.map((count, index) => count + Math.min(1, partOf(index))),
  }
}

function weigh(values: readonly number[], shares: readonly number[]): number {
  let sum = 0
  for (const [index, value] of values.entries()) sum += value * (shares[index] ?? 0)
  return sum
}
