/** The decision for embeddings without sending the request; counts, reserves and stores nothing. */
import type { Preview } from '../../../shared/routers/preview.ts'
import { explainDetail } from '../explain-detail.ts'
import {
  expectedFigures,
  firstAttempt,
  reasonBesides,
  type PreviewDependencies,
} from '../preview.ts'
import { meterOf } from './create-embeddings.ts'
import type { EmbeddingsCall } from './embeddings-call.ts'
import { planEmbeddings } from './plan-embeddings.ts'

/** @throws ServiceError as `planEmbeddings`; all_models_unavailable when no deployment can be asked now */
export function previewEmbeddings(
  call: EmbeddingsCall,
  dependencies: PreviewDependencies,
): Preview {
  const plan = planEmbeddings(call, dependencies)
  const first = firstAttempt(call, plan, dependencies)
  const { now, clock } = dependencies
  const decision = explainDetail(meterOf(call, plan, { startedAtMs: now(), clock }).detail())
  const { promptTokens, strategy } = plan.record
  const estimates = plan.ranked
    .filter(({ candidate }) => candidate === first.candidate)
    .map(({ estimate }) => estimate)
  return {
    object: 'modelport.preview',
    model: first.candidate.modelId,
    routerDecision: strategy,
    ...(reasonBesides(first, plan) ?? { why: decision.why, flip: decision.flip }),
    expected: expectedFigures(estimates, promptTokens),
    skipped: first.skipped,
    explorationShare: 0,
    mayHedge: false,
    decision,
  }
}
