/**
 * Sends the requests of tuning runs, shadow samples, daily probes and titles through the service's own chat path, so that
 * they are in the ledger, respect the router's budgets and teach latency. Only answers to the router's prompts teach
 * length. The router is a copy that only answers as asked: no fallback, no hedge, no cascade, no cache, no content log,
 * and no daily limit or limit per minute.
 */
import { contentText } from '../../shared/chat/chat.ts'
import type { RequestRecord, RequestSource, Router } from '../../shared/entities.ts'
import type { AttemptRecord, RequestDetail } from '../../shared/requests/detail.ts'
import type { ChatCall, CompleteChat, FinishedChat } from '../chat/chat-call.ts'
import { callsOf } from '../chat/sessions/called-tools.ts'
import { ServiceError } from '../errors.ts'
import type { AskOutcome, AskModel, Question } from './asker.ts'

export interface ChatAskerOptions {
  completeChat: CompleteChat
  router: Router
  runId: string
  source: Extract<RequestSource, 'tune' | 'shadow' | 'probe' | 'title'>
  newId(): string
}

/** @param judge  joins the router's models; null without one */
export function tunedRouter(router: Router, judge: string | null): Router {
  const models = judge === null || router.models.includes(judge) ? [] : [judge]
  return {
    ...router,
    models: [...router.models, ...models],
    cacheTtlSeconds: null,
    hedge: null,
    routing: {
      ...router.routing,
      cascade: null,
      fallback: false,
      contentDays: null,
      maxCostUsdPerRequest: null,
      shadow: null,
      shadowSteps: null,
    },
  }
}

export function createChatAsker(options: ChatAskerOptions): AskModel {
  return async (question, signal) => {
    let ended: EndedRequest | null = null
    const call = callFor(question, options, (row, detail) => {
      ended = { row, detail }
    })
    try {
      const admitted = await options.completeChat.admit(call)
      const finished = await admitted.complete(signal)
      return answeredBy(finished, ended)
    } catch (error) {
      if (!(error instanceof ServiceError) && !signal.aborted) throw error
      return failedWith(error, ended)
    }
  }
}

interface EndedRequest {
  row: RequestRecord
  detail: RequestDetail
}

function callFor(
  { candidate, body, isJudge }: Question,
  { router, runId, source, newId }: ChatAskerOptions,
  onRecord: (row: RequestRecord, detail: RequestDetail) => void,
): ChatCall {
  return {
    requestId: newId(),
    router,
    body: { ...body, model: candidate.modelId },
    apiKeyId: null,
    source,
    acceptAnyModel: false,
    client: null,
    cacheUse: 'none',
    teachesLength: !isJudge && source !== 'probe' && source !== 'title',
    step: {
      executionId: runId,
      stepId: isJudge ? 'judge' : 'answer',
      isCounted: true,
      allowances: [],
      onRecord,
    },
  }
}

function answeredBy(
  { choices: [choice], usage }: FinishedChat,
  ended: EndedRequest | null,
): AskOutcome {
  if (ended === null) throw new Error('an answered request has no row')
  return {
    kind: 'answered',
    text: contentText(choice?.message.content),
    isCut: choice?.finish_reason === 'length',
    costNanoUsd: ended.row.costNanoUsd,
    latencyMs: ended.row.latencyMs,
    outputTokens: usage.completion_tokens,
    calls: callsOf(choice === undefined ? [] : [choice]),
  }
}

const firstWaitMs = 2_000

/** Failures that another try may not have. */
const passing = new Set(['rate_limit', 'unavailable', 'timeout', 'network', 'invalid_response'])
/** Failures of a request that the provider may have worked on. */
const unknownCost = new Set(['timeout', 'network', 'invalid_response', 'aborted'])

function failedWith(error: unknown, ended: EndedRequest | null): AskOutcome {
  const attempts = ended?.detail.attempts ?? []
  const isService = error instanceof ServiceError
  return {
    kind: 'failed',
    costNanoUsd: costOf(attempts, ended),
    retryAfterMs: isService ? retryAfterMs(error, attempts) : null,
    reason: isService ? reasonOf(error) : 'model',
    message: isService ? error.message : 'The request was cancelled.',
  }
}

function costOf(attempts: readonly AttemptRecord[], ended: EndedRequest | null): number | null {
  const isUnknown = attempts.some(
    ({ outcome, status }) => unknownCost.has(outcome) && (status === null || status < 400),
  )
  return isUnknown ? null : (ended?.row.costNanoUsd ?? 0)
}

function retryAfterMs(error: ServiceError, attempts: readonly AttemptRecord[]): number | null {
  const isWaiting = ['rate_limit_exceeded', 'all_models_unavailable', 'overloaded']
  if (!isWaiting.includes(error.code)) return null
  if (attempts.some(({ outcome }) => !passing.has(outcome))) return null
  const seconds = Number(error.headers['retry-after'] ?? 0)
  return Math.max(firstWaitMs, seconds * 1000)
}

function reasonOf({ code }: ServiceError): 'model' | 'router_budget' | 'storage' {
  if (code === 'budget_exceeded') return 'router_budget'
  return code === 'storage_unavailable' ? 'storage' : 'model'
}
