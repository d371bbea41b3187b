/** Default answer lengths: our own medians by domain and the model's reasoning, until answers were measured. */
import { domainNames, type Domain } from '../../shared/app/domains.ts'
import { unreadDifficulty } from '../../shared/models/quality-scale.ts'
import { domainOfTopic } from '../../shared/routers/topics.ts'

const medianTokens: Readonly<Record<Domain, number>> = {
  chat_writing: 250,
  code: 600,
  maths_quant: 400,
  science_medical: 300,
  law_business: 300,
  humanities_social: 300,
  extraction_transform: 120,
  other: 250,
}
/** Natural logarithms, in the order of `topicNames`; each topic has the length of its domain. */
export const lnOutputPrior: readonly number[] = domainOfTopic.map((domain) =>
  Math.log(medianTokens[domainNames[domain] ?? 'other']),
)

/**
 * The lengths expected of a model before any answer, as natural logarithms in the order of `topicNames`.
 * @param outputRatio  of the candidate
 */
export function lnOutputOf(outputRatio: number): readonly number[] {
  if (outputRatio === 1) return lnOutputPrior
  let lengths = lnOutputByRatio.get(outputRatio)
  if (lengths === undefined) {
    lengths = lnOutputPrior.map((ln) => ln + Math.log(outputRatio))
    lnOutputByRatio.set(outputRatio, lengths)
  }
  return lengths
}

/** Computed once for each ratio of the catalogue, because every request needs them. */
const lnOutputByRatio = new Map<number, readonly number[]>()

/** A logit of difficulty makes reasoning this many times longer, on a logarithm: LiveBench's tasks. */
const reasoningPerDifficulty = 0.68
/** The mean of those tasks: few counts are of harder ones. */
const hardestCounted = 0

/** The model's output ratio for a prompt of this difficulty: an easy prompt needs less reasoning. */
export function ratioAtDifficulty(outputRatio: number, difficulty: number): number {
  if (outputRatio === 1) return 1
  const harder = Math.min(hardestCounted, difficulty) - unreadDifficulty
  return 1 + (outputRatio - 1) * Math.exp(reasoningPerDifficulty * harder)
}

/** One answer in ten is longer than e^(1.28 σ) medians; public answers have a σ of about 0.8. */
export const lnP90Prior = 1.28 * 0.8

/**
 * Expected output of a prompt; without a reading, every kind is equally likely.
 * @param lengthFactor  for this prompt's difficulty
 */
export function expectedOutput(
  lnByTopic: readonly number[],
  topics: readonly number[] | null,
  { limit, lengthFactor, lnP90 }: { limit: number; lengthFactor: number; lnP90: number },
): { outputTokens: number; p90Tokens: number } {
  let ln = 0
  for (let index = 0; index < lnByTopic.length; index += 1) {
    ln += (lnByTopic[index] ?? 0) * (topics?.[index] ?? 1 / lnByTopic.length)
  }
  const median = Math.exp(ln) * lengthFactor
  // Embeddings have a limit of 0.
  const least = Math.min(1, limit)
  return {
    outputTokens: Math.max(least, Math.round(Math.min(median, limit))),
    p90Tokens: Math.max(least, Math.round(Math.min(median * Math.exp(lnP90), limit))),
  }
}
