/** One chat request as a caller makes it, its plan, and its answer. */
import type {
  ChatCompletion,
  ChatRequest,
  ChatUsage,
  ChunkChoice,
  FinishReason,
  WireFields,
  RouterMeta,
} from '../../shared/chat/chat.ts'
import type { RequestRecord, RequestSource, Router } from '../../shared/entities.ts'
import type { Fallback } from '../../shared/routers/fallback-record.ts'
import type {
  DecisionRecord,
  ExplainedMeta,
  RequestDetail,
  TierRecord,
} from '../../shared/requests/detail.ts'
import type { Adjustment, Capability } from '../../shared/models/model-abilities.ts'
import type { SessionStep } from '../../shared/requests/session-step.ts'
import type { PassedHeaders } from '../providers/passed-headers.ts'
import type { OriginalRequest } from '../providers/provider.ts'
import type { JudgedAnswer } from './learning/answer-signals.ts'
import type { Acceptance } from '../routing/acceptance.ts'
import type { Candidate, EstimatedCandidate } from '../routing/candidate.ts'
import type { CacheContext, CacheHistory } from '../routing/prompt-cache.ts'
import type { PromptSize } from '../routing/prompt-size.ts'
import type { Allowance } from './admission/allowance.ts'
import type { Asker } from './sessions/asker.ts'
import { explainDetail } from './explain-detail.ts'
import type { QuotaState } from './admission/quota.ts'

/** A request that arrived in another form than the inner one. */
export interface OriginalCall extends OriginalRequest {
  /** The body as it was parsed; those of Gemini's form in camelCase. */
  fields: WireFields
  /**
   * Tools that have other names in the inner form, by their own ones, which a provider of this form calls them by;
   * absent: none.
   */
  renamedTools?: NonNullable<ChatRequest['tools']>
  /** Fields that another provider's form does not carry. */
  leftOut: readonly Adjustment[]
  /** Fields that no provider gets, because only the user may set them. */
  notForwarded: readonly Adjustment[]
  /** Why only providers of this form can answer it, and the field that says so; null when others can too. */
  required: { param: string; reason: string } | null
  /** The field that needs what a provider stored of earlier requests; null when the request says everything. */
  stateField: string | null
  /** The form's own name for the conversation; null without one. */
  conversation: string | null
}

export interface ChatCall {
  /** UUIDv7; also the key of its ledger row. */
  requestId: string
  router: Router
  body: ChatRequest
  apiKeyId: string | null
  source: RequestSource
  /** Every model name means "the router decides". */
  acceptAnyModel: boolean
  /** Name of the calling program; null for the chat window. */
  client: string | null
  /** Capabilities that the model must have beyond what the body needs. */
  requires?: readonly Capability[] | undefined
  /** The coding agent that asks, for what; absent for requests that did not arrive over HTTP. */
  asker?: Asker | undefined
  /** The router or model that the router's setting names for this subagent; absent for other requests. */
  routedTo?: string | undefined
  /** Whether its session has the router's rules; absent where sessions are not split. */
  arm?: SessionStep['arm'] | undefined
  /** The caller's name for the conversation; otherwise it is identified by its beginning. */
  conversation?: string | null | undefined
  /** The caller's label for grouping usage, stored with the ledger row. */
  tag?: string | null | undefined
  /** How many Modelports the request has passed through before this one. */
  hops?: number | undefined
  /** The caller's W3C trace context, for telemetry; null without a valid one. */
  traceparent?: string | null | undefined
  /** Called before an attempt whose model needs other changes to the request than the one before. */
  onAdjusted?: ((adjusted: readonly Adjustment[]) => void) | undefined
  /** Called once before the answer begins, if another model gives it than the router's first choice. */
  onFallback?: ((fallback: Fallback) => void) | undefined
  /** Called once before the answer begins, with its vendor's headers for a caller of the same form. */
  onHeaders?: ((headers: PassedHeaders) => void) | undefined
  /** Called with its ledger row, however the request ends. */
  onRecord?: ((row: RequestRecord) => void) | undefined
  /** The agent's execution that it belongs to; absent for other requests. */
  step?: ExecutionStep | undefined
  /** The request as it arrived; absent when it arrived in the inner form. Its answers may be shorter than asked for. */
  original?: OriginalCall | undefined
  /** Fields left out of `body` because a budget applies. */
  leftOut?: readonly Adjustment[] | undefined
  /** False for judges, titles and probes, whose answers are shorter than those to the router's callers; absent: true. */
  teachesLength?: boolean | undefined
  /** Use a cached answer, store a new one, or bypass the cache. */
  cacheUse: 'use' | 'refresh' | 'none'
}

/** A request that is part of an agent's execution. */
export interface ExecutionStep {
  executionId: string
  /** `best`; in an agent that was called, `outer/best`. */
  stepId: string
  /** Whether the execution was already counted on this router, so that the step is not counted again. */
  isCounted: boolean
  /** The answer that failed the step's check, so that the step is repeated; absent for a first request. */
  repeats?: JudgedAnswer | undefined
  /** Each of them must cover the request. */
  allowances: readonly Allowance[]
  /** Called with its ledger row, which is written however the request ends. */
  onRecord(row: RequestRecord, detail: RequestDetail): void
}

/** Call either `stream` or `complete`, once. The signal aborts when the caller disconnects. */
export interface AdmittedChat {
  /** Null when the router has no limit. */
  quota: QuotaState | null
  /** Whether the answer comes from the cache; null when the cache is not involved. */
  cache: 'hit' | 'miss' | null
  stream(signal: AbortSignal): AsyncIterable<ChatPart>
  complete(signal: AbortSignal): Promise<FinishedChat>
}

/** The figures of an answer, known once it is complete. */
export interface AnswerFigures {
  /** `<provider>:<model_name>` */
  model: string
  usage: ChatUsage
  /** Further fields of the provider's answer, such as `system_fingerprint`. */
  extras?: WireFields
  meta: RouterMeta
  /** Null when the router's first choice answered. */
  fallback: Fallback | null
  /** What `x-modelport-explain` adds to `_meta`. */
  explain(): RequestDetail
}

/** What a streaming caller receives: deltas as they arrive, and one end. */
export type ChatPart =
  | {
      kind: 'delta'
      model: string
      choices: ChunkChoice[]
      extras?: WireFields
      /** Events as in `ProviderChunk`. */
      events?: readonly string[]
    }
  | ({ kind: 'end'; finishReasons: ReadonlyMap<number, FinishReason> } & AnswerFigures)

/** What a caller that does not stream receives. */
export interface FinishedChat extends AnswerFigures {
  choices: ChatCompletion['choices']
  /** Events as in `ProviderChunk`. */
  events?: readonly string[]
}

/** `_meta` as it is sent: its five fields, plus the decision if the caller asked for it. */
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

/** A step that applies to some requests, besides asking a model. */
export interface ChatAddition {
  appliesTo(call: ChatCall): boolean
  /** Called only for a call it applies to. @param completeChat  asks the model, with the other additions */
  admit(call: ChatCall, completeChat: CompleteChat): Promise<AdmittedChat>
}

/** The abort reason when the caller disconnected. */
export class ClientClosed extends Error {
  override readonly name = 'ClientClosed'

  constructor() {
    super('the client closed the connection')
  }
}

/** A tier of the cascade that can be used for the request. */
export interface PlannedTier {
  /** Asked concurrently; the first one's answer is used. */
  candidates: readonly Candidate[]
  accept: Acceptance
  /** Record in which the tier's outcome is written. */
  record: TierRecord
}

/** The decision for one request, and its record. */
export interface Plan {
  ranked: readonly EstimatedCandidate[]
  /** The first is the conversation's model and is not skipped because of its load. */
  keepsFirst: boolean
  /** Identity of the conversation whose model is remembered; null when there is nothing to remember. */
  identity: string | null
  /** Size of the prompt at each model, and the caller's own effort. */
  prompt: PromptSize & Partial<CacheContext>
  record: DecisionRecord
  /** The cascade's tiers, tried first and one after another; absent when there are none for this request. */
  tiers?: readonly PlannedTier[]
  /** Whether marking the prompt for a vendor's cache may pay; absent where Modelport adds no marks. */
  cacheHistory?: CacheHistory
  /** Longest answer in tokens that the budget pays for, by model; absent when nothing is limited. */
  outputLimits?: ReadonlyMap<string, number>
}
