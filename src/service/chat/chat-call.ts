/** One chat request as a caller makes it, its plan, and its answer. */
import type {
  ChatCompletion,
  ChatRequest,
  ChatUsage,
  ChunkChoice,
  FinishReason,
  WireFields,
  RouterMeta,
} from '../../shared/chat.ts'
import type { RequestRecord, RequestSource, Router } from '../../shared/entities.ts'
import type {
  DecisionRecord,
  ExplainedMeta,
  RequestDetail,
  TierRecord,
} from '../../shared/request-detail.ts'
import type { Adjustment, Capability } from '../../shared/model-abilities.ts'
import type { Acceptance } from '../routing/acceptance.ts'
import type { Candidate, EstimatedCandidate } from '../routing/candidate.ts'
import type { Allowance } from './allowance.ts'
import { explainDetail } from './explain-detail.ts'
import type { QuotaState } from './quota.ts'

export interface ChatCall {
  /** UUIDv7; also the ledger's key. */
  requestId: string
  router: Router
  body: ChatRequest
  apiKeyId: string | null
  source: RequestSource
  /** Any unknown model name is read as "the router decides". */
  acceptAnyModel: boolean
  /** How the caller's program names itself; null for the chat window. */
  client: string | null
  /** What the model must promise beyond what the body needs. */
  requires?: readonly Capability[] | undefined
  /** What the caller calls the conversation; else it is known by how it begins. */
  conversation?: string | null | undefined
  /** Told, before each attempt, what is changed for its model, where that is another than before. */
  onAdjusted?: ((adjusted: readonly Adjustment[]) => void) | undefined
  /** Of an agent's execution; absent for a request of its own. */
  step?: ExecutionStep | undefined
  /** Whether a kept answer will do, a new one is to be made and kept, or neither. */
  cacheUse: 'use' | 'refresh' | 'none'
}

/** A request that is part of an agent's execution. */
export interface ExecutionStep {
  executionId: string
  /** `best`; in an agent that was called, `outer/best`. */
  stepId: string
  /** Whether the execution was counted on this router: then this is no further request of its day. */
  isCounted: boolean
  /** All are to cover it. */
  allowances: readonly Allowance[]
  /** Told of its row, which is written however it ends. */
  onRecord(row: RequestRecord, detail: RequestDetail): void
}

/** One of the two is to be called, once; the signal is the caller's going away. */
export interface AdmittedChat {
  /** Null where the router has no limit. */
  quota: QuotaState | null
  /** Where the answer comes from; null where the cache has no part in it. */
  cache: 'hit' | 'miss' | null
  stream(signal: AbortSignal): AsyncIterable<ChatPart>
  complete(signal: AbortSignal): Promise<FinishedChat>
}

/** What is known of an answer only when it is all there. */
export interface AnswerFigures {
  /** `<provider>:<model_name>` */
  model: string
  usage: ChatUsage
  /** Further fields of the provider's answer, such as `system_fingerprint`. */
  extras?: WireFields
  meta: RouterMeta
  /** What `x-modelport-explain` adds to `_meta`. */
  explain(): RequestDetail
}

/** What a streaming caller gets: deltas as they arrive, and one end. */
export type ChatPart =
  | { kind: 'delta'; model: string; choices: ChunkChoice[]; extras?: WireFields }
  | ({ kind: 'end'; finishReasons: ReadonlyMap<number, FinishReason> } & AnswerFigures)

/** What a caller that does not stream gets. */
export interface FinishedChat extends AnswerFigures {
  choices: ChatCompletion['choices']
}

/** `_meta` as it is sent: its five fields, and the decision for a caller that asked for it. */
export function metaOf(
  { meta, explain }: AnswerFigures,
  isExplained: boolean,
): RouterMeta | ExplainedMeta {
  return isExplained ? { ...meta, decision: explainDetail(explain()) } : meta
}

export interface CompleteChat {
  /**
   * @throws ServiceError model_not_found, agent_not_found, no_capable_model, daily_limit_exceeded,
   *   rate_limit_exceeded, budget_exceeded, all_models_unavailable, storage_unavailable
   */
  admit(call: ChatCall): Promise<AdmittedChat>
}

/** The reason to abort with when the caller went away. */
export class ClientClosed extends Error {
  override readonly name = 'ClientClosed'

  constructor() {
    super('the client closed the connection')
  }
}

/** A tier that can be asked. */
export interface PlannedTier {
  /** Asked at the same time; the first one's answer is given. */
  candidates: readonly Candidate[]
  accept: Acceptance
  /** What becomes of it is written there. */
  record: TierRecord
}

/** The decision of one request, and as it is remembered. */
export interface Plan {
  ranked: readonly EstimatedCandidate[]
  /** The first is the model of the conversation: not to be passed over for its load. */
  keepsFirst: boolean
  /** Of the conversation whose model is to be remembered; null where nobody would ask for it. */
  identity: string | null
  record: DecisionRecord
  /** Of the router's cascade: asked before, one after the other; absent where it has none for this request. */
  tiers?: readonly PlannedTier[]
  /** Model to the longest answer its budget pays for, in tokens; absent where nothing is limited. */
  outputLimits?: ReadonlyMap<string, number>
}
