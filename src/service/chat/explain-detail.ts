import type { ExplainedDetail, RequestDetail } from '../../shared/request-detail.ts'
import { explain } from '../routing/explain.ts'

/** What is kept of a request, with its decision in words: made for who asks, never kept. */
export function explainDetail(detail: RequestDetail): ExplainedDetail {
  return { ...detail, decision: { ...detail.decision, ...explain(detail.decision) } }
}
