import type { Candidate } from '../routing/candidate.ts'
import type { GradedAnswer, StoredAnswer } from './tuning-outcome.ts'

/** A model's answer to a prompt; null when it gave none. */
export interface AnsweredBy {
  candidate: Candidate
  answer: StoredAnswer | null
}

/** @param missing  why an answer has no grade */
export function gradedAnswer(
  { modelId }: Candidate,
  answer: StoredAnswer | null,
  { grade, missing }: Pick<GradedAnswer, 'grade' | 'missing'>,
): GradedAnswer {
  return {
    model: modelId,
    grade,
    missing: grade === null ? (answer === null ? 'no_answer' : missing) : null,
    costNanoUsd: answer?.costNanoUsd ?? null,
    latencyMs: answer?.latencyMs ?? null,
    outputTokens: answer?.outputTokens ?? null,
    isCut: answer?.isCut ?? false,
  }
}
