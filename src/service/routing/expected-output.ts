/** Default answer lengths: our own medians by domain, until answers were measured. */
import { domainNames, type Domain } from '../../shared/domains.ts'
import { domainOfTopic } from '../../shared/topics.ts'

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

/** One answer in ten is longer than e^(1.28 σ) medians; public answers have a σ of about 0.8. */
const p90Factor = Math.exp(1.28 * 0.8)

/** Without a reading, every kind is equally likely. */
export function expectedOutput(
  lnByTopic: readonly number[],
  topics: readonly number[] | null,
  limit: number,
): { outputTokens: number; p90Tokens: number } {
  let ln = 0
  for (let index = 0; index < lnByTopic.length; index += 1) {
    ln += (lnByTopic[index] ?? 0) * (topics?.[index] ?? 1 / lnByTopic.length)
  }
  const median = Math.exp(ln)
  return {
    outputTokens: Math.max(1, Math.round(Math.min(median, limit))),
    p90Tokens: Math.max(1, Math.round(Math.min(median * p90Factor, limit))),
  }
}
