import { logitOf } from '../../shared/quality-scale.ts'
import type { Candidate, PromptReading } from '../routing/candidate.ts'
import { estimateQuality } from '../routing/quality.ts'

const nothingLearned = { feedback: null, own: null }
/** A probability never reaches 0 or 1. */
const edge = 1e-4

/** The logit of the quality that is expected of a model before any of its answers was judged. */
export function startLogit({ quality }: Candidate, reading: PromptReading): number {
  const expected = estimateQuality(quality, nothingLearned, reading).quality
  return logitOf(Math.min(1 - edge, Math.max(edge, expected)))
}
