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

/** What is expected before any answer. */
export function lengthsAtFirst(): Lengths {
  return { lnTokens: [...lnOutputPrior], answers: lnOutputPrior.map(() => 0) }
}

/**
 * Learns from one more answer, in place: every request comes by here. The kinds share what the
 * expectation was off by, each as it was expected to be the prompt's (normalised least mean squares): a
 * prompt that is surely code moves code alone, and one of which nothing is known moves all alike.
 */
export function learnLength(
  { lnTokens, answers }: Lengths,
  { outputTokens, isCutOff, shares }: AnswerLength,
): void {
  let expectedLn = 0
  let norm = 0
  let answersOfKind = 0
  for (let topic = 0; topic < lnTokens.length; topic += 1) {
    const share = shares[topic] ?? 0
    expectedLn += (lnTokens[topic] ?? 0) * share
    norm += share * share
    answersOfKind += (answers[topic] ?? 0) * share
  }
  const off = Math.log(Math.max(1, outputTokens)) - expectedLn
  if (isCutOff && off < 0) return
  const weight = Math.max(leastWeight, 1 / (priorAnswers + 1 + answersOfKind))
  for (let topic = 0; topic < lnTokens.length; topic += 1) {
    const part = (shares[topic] ?? 0) / norm
    lnTokens[topic] = (lnTokens[topic] ?? 0) + weight * part * off
    answers[topic] = (answers[topic] ?? 0) + Math.min(1, part)
  }
}
