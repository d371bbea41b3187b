import type { ExplainedDetail, RequestDetail } from '../../shared/request-detail.ts'
import { explain } from '../routing/explain.ts'

/** A request's recorded detail with its decision in plain sentences, written on demand and never stored. */
export function explainDetail(detail: RequestDetail): ExplainedDetail {
  return { ...detail, decision: { ...detail.decision, ...explain(detail.decision) } }
}
