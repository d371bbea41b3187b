/**
 * Billed tokens per answer, by kind of prompt, as logarithms because lengths differ by factors. The prior
 * counts as five answers; later answers have a weight of at least one twentieth.
 */
import type { Candidate } from '../../routing/candidate.ts'
import { lnOutputOf } from '../../routing/expected-output.ts'
import type { Lengths } from '../../storage/model-statistics.ts'

const priorAnswers = 5
const leastWeight = 0.05

export interface AnswerLength {
  /** Billed tokens, reasoning included. */
  outputTokens: number
  /** Cut off at the request's limit; otherwise it would have been longer. */
  isCutOff: boolean
  /** Probability of each kind of prompt, in the order of `topicNames`. */
  shares: readonly number[]
}

/** The lengths expected before any answer. */
export function lengthsAtFirst({ outputRatio }: Pick<Candidate, 'outputRatio'>): Lengths {
  const lnTokens = [...lnOutputOf(outputRatio)]
  return { lnTokens, answers: lnTokens.map(() => 0) }
}

/**
 * Learns from one more answer, in place because every request calls it. The kinds share the error in
 * proportion to their probabilities (normalized least mean squares): a prompt that is certainly code changes
 * only code, and an unknown one changes all kinds equally.
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
