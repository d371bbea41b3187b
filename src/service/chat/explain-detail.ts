import type { ExplainedDetail, RequestDetail } from '../../shared/requests/detail.ts'
import { explain } from '../routing/explain.ts'

/** A request's recorded detail as callers see it, with its summary; written on demand, never stored. */
export function explainDetail({ decision, ...provenance }: RequestDetail): ExplainedDetail {
  return { ...explain(decision), ...decision, ...provenance }
}
