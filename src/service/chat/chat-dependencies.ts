/** What chat requests need from the rest of the service. */
import type { SessionOfKey } from '../../shared/requests/session.ts'
import type { RequestRecord, Router } from '../../shared/entities.ts'
import type { RequestDetail } from '../../shared/requests/detail.ts'
import type { TimeLimits } from '../../shared/routers/time-limits.ts'
import type { ServiceError } from '../errors.ts'
import type { Provider, ProviderError } from '../providers/provider.ts'
import type { ProviderForm } from './attempts/original-call.ts'
import type { Candidate, ModelKnowledge } from '../routing/candidate.ts'
import type { OwnKinds } from '../routing/own-kinds.ts'
import type { ChatCall } from './chat-call.ts'
import type { ConversationMemory } from './learning/conversation-memory.ts'
import type { RecallConversation } from './learning/recall-conversation.ts'
import type { AgentMemory } from './sessions/agent-memory.ts'
import type { ReasoningMemory } from './kept-answers/reasoning-memory.ts'
import type { Deployments } from './attempts/deployments.ts'
import type { Hedging } from './attempts/hedge.ts'
import type { Limits } from './admission/limits.ts'
import type { AnswerChecks } from './answer-checks/answer-checks.ts'
import type { SignalLabels } from './learning/signal-labels.ts'
import type { PromptShares } from './learning/prompt-shares.ts'
import type { KnowledgeQuery, ModelStatistics } from './learning/model-statistics.ts'
import type { LossAccounts } from './admission/loss-accounts.ts'
import type { Pacing } from './admission/pacing.ts'
import type { Quota } from './admission/quota.ts'

export interface ChatDependencies {
  /** Why the router's requests are refused now: none can be recorded, or it is paused. Null when they are served. */
  refusalOf(router: Router): ServiceError | null
  /** The router's models as candidates, in its order. */
  candidatesOf(router: Router): Candidate[]
  /** @throws ProviderError when it cannot be used now */
  providerOf(candidate: Candidate): Provider
  /** Why its provider cannot be used until the user acts; null when it can. */
  outageOf(candidate: Candidate): ProviderError | null
  /** How its provider changes requests; nothing while it cannot be used. */
  formOf(candidate: Candidate): ProviderForm
  timeLimitsOf(candidate: Candidate, router: Router): TimeLimits
  /** Requests in progress and waiting, for each that its provider answers at once; null: none has to wait. */
  loadOf(candidate: Candidate): number | null
  deployments: Deployments
  /** What has been learned about a candidate so far. */
  knowledgeOf(candidate: Candidate, query: KnowledgeQuery): ModelKnowledge
  /** Corrects readings to the kinds of prompts that the router learnt; null when it learnt none. */
  ownKinds(routerId: string): OwnKinds | null
  /** What a dollar is worth now, by the pace of the router's budget and by its account of allowed loss. */
  spendingOf: Pacing['spendingOf']
  lossAccounts: Pick<LossAccounts, 'open' | 'chosen'>
  /** Learns from answers and timeouts. */
  statistics: Pick<ModelStatistics, 'answered' | 'timedOut' | 'isCold' | 'mayLookAt' | 'looked'>
  /** Compares answers with what was asked; null in commands, which have no time to learn. */
  answerChecks: Pick<AnswerChecks, 'answered'> | null
  /** Learns how many tokens models count for a prompt. */
  promptShares: PromptShares
  /** Learns from what answers show by themselves. */
  signals: SignalLabels
  conversationMemory: ConversationMemory
  /** Coding agents and their caches. */
  agents: AgentMemory
  /** Looks a conversation up that other nodes may know; null for a node on its own. */
  recallConversation: RecallConversation | null
  /** The model that a person chose for a coding agent's session; null for none. */
  pinOf(session: SessionOfKey): string | null
  /** Whether Modelport marks prompts for vendors' caches where the caller does not. */
  isPromptCachingOn(): boolean
  reasoningMemory: ReasoningMemory
  hedging: Hedging
  quota: Quota
  limits: Limits
  /**
   * Stores the request’s row; must not throw.
   * @returns null where the answer need not wait for the row. Else it resolves once the row is stored, and
   *   rejects with ServiceError storage_unavailable when it cannot be: the answer is withheld then
   */
  record(
    row: RequestRecord,
    detail: RequestDetail,
    call: Pick<ChatCall, 'traceparent'>,
  ): Promise<void> | null
  onProviderFailure(providerId: string, error: ProviderError): void
  /** @param latencyMs  from the request to the first delta */
  onProviderSuccess(providerId: string, latencyMs: number): void
  /** Called with unexpected errors. */
  onBug(error: unknown): void
  now(): number
  /** Monotonic milliseconds. */
  clock(): number
}
