/** The latency assumed for a model without measurements: published figures, or one default for all. */
import type { Candidate, LatencyKnowledge } from './candidate.ts'

/** Assumed for a model without published figures: one second, and forty tokens per second. */
const assumedSpeed = { firstTokenMs: 1_000, msPerToken: 25 }
/** e^(1.645 · 1.25 · 0.3): the 95th percentile when times scatter by a third. */
export const assumedP95Ratio = 1.85

export function latencyPrior({ speed }: Candidate): LatencyKnowledge {
  const { firstTokenMs, msPerToken } = speed ?? assumedSpeed
  return {
    firstTokenMs,
    msPerPromptToken: 0,
    msPerToken,
    p95Ratio: assumedP95Ratio,
    source: speed === null ? 'assumed' : 'prior',
    answers: 0,
    measuredShare: 0,
  }
}
