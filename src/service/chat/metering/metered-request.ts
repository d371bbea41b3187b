/** The fields of a request that the meter gets before it is sent. */
import type { RequestRecord, RequestSource } from '../../../shared/entities.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { CacheContext } from '../../routing/prompt-cache.ts'
import type { PromptSize } from '../../routing/prompt-size.ts'
import type { ExecutionStep } from '../chat-call.ts'

export interface MeteredRequest {
  id: string
  routerId: string
  apiKeyId: string | null
  source: RequestSource
  isStreamed: boolean
  /** `user-agent` of the caller. */
  client: string | null
  /** The caller's label for grouping usage. */
  tag: string | null
  /** Step of the agent's execution that the request is part of. */
  step?: Pick<ExecutionStep, 'executionId' | 'stepId'> | undefined
  /** Whether the caller wants inference in the United States only, which has other prices. */
  isInUs?: boolean
  decision: DecisionRecord
  /** How many tokens the prompt has at each model, for those that report none, and what their caches have of it. */
  prompt: PromptSize & Partial<CacheContext>
  /** The longest output the candidate was asked for, all choices together, in tokens; null: no limit was sent. */
  outputLimitOf(candidate: Candidate): number | null
  startedAtMs: number
  /** Monotonic, milliseconds. */
  clock: () => number
}

/** The columns of a step: of an execution, or none. `WatchedRequest.rowOf` sets those of a coding agent's session. */
export function stepColumns({
  step,
}: MeteredRequest): Pick<
  RequestRecord,
  'executionId' | 'stepId' | 'sessionId' | 'agentId' | 'sessionStep'
> {
  const { executionId = null, stepId = null } = step ?? {}
  return { executionId, stepId, sessionId: null, agentId: null, sessionStep: null }
}
