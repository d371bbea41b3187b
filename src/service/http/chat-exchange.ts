/** One chat of an HTTP caller, whoever reads its request and writes its answer. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatCompletion, ChatRequest } from '../../shared/chat.ts'
import type { Adjustment } from '../../shared/model-abilities.ts'
import type { AdmittedExecution, AnswerChat, FinishedExecution } from '../agents/agent-call.ts'
import { adjustedHeader } from '../chat/attempts/adjust.ts'
import type { AdmittedChat, ChatCall, FinishedChat } from '../chat/chat-call.ts'
import { quotaHeaders } from '../chat/admission/quota.ts'
import type { Caller } from './auth.ts'
import { readRoutingHeaders } from './routing-headers.ts'
import { sentMeta } from './sent-meta.ts'

export interface ChatExchange {
  requestId: string
  caller: Caller
  headers: IncomingHttpHeaders
  body: ChatRequest
  /** Of the answer that is being made. */
  answerHeaders: AnswerHeaders
}

export interface AnswerHeaders {
  set(name: string, value: string): void
  remove(name: string): void
}

/** @throws ServiceError, as `AnswerChat.admit` and for a header that does not fit */
export async function admitChat(
  exchange: ChatExchange,
  answerChat: AnswerChat,
): Promise<AdmittedChat | AdmittedExecution> {
  const { requestId, caller, headers, body, answerHeaders } = exchange
  const { apiKey, router } = caller
  const admitted = await answerChat.admit({
    requestId,
    router,
    body,
    apiKeyId: apiKey.id,
    source: 'api',
    acceptAnyModel: apiKey.acceptAnyModel,
    client: clientOf(headers),
    ...readRoutingHeaders(headers),
    onAdjusted: (adjusted) => tellAdjusted(answerHeaders, adjusted),
    cacheUse: router.cacheTtlSeconds === null ? 'none' : cacheUseOf(headers['cache-control']),
  })
  if (admitted.quota) {
    const told = quotaHeaders(admitted.quota)
    for (const name in told) answerHeaders.set(name, told[name] ?? '')
  }
  if (admitted.cache) answerHeaders.set('x-modelport-cache', admitted.cache)
  return admitted
}

export interface AnswerIdentity {
  /** `chatcmpl-` + the request id. */
  id: string
  /** Unix seconds. */
  created: number
  /** `_meta` says why, too. */
  isExplained: boolean
  /** Of a stream: its usage comes in a chunk of its own. */
  includeUsage: boolean
  /** Of a stream: comments while the answer is silent for long. */
  isKeptAlive: boolean
}

export function identityOf(exchange: ChatExchange, nowMs: number): AnswerIdentity {
  const { requestId, caller, headers, body } = exchange
  return {
    id: `chatcmpl-${requestId}`,
    created: Math.floor(nowMs / 1000),
    isExplained: caller.apiKey.explain || headers['x-modelport-explain'] === 'true',
    includeUsage: body.stream_options?.include_usage === true,
    isKeptAlive: caller.apiKey.keepAlive,
  }
}

/** The body of an answer that is not streamed. */
export function completionOf(
  chat: FinishedChat | FinishedExecution,
  { id, created, isExplained }: AnswerIdentity,
): ChatCompletion {
  const { model, choices, usage } = chat
  const object = 'chat.completion'
  const extras = 'extras' in chat ? chat.extras : undefined
  const completion = { id, object, created, model, choices, usage, ...extras } as const
  return { ...completion, _meta: sentMeta(chat, isExplained) }
}

/** Of the model that is asked now: once headers are out, it is the one that answers. */
function tellAdjusted(headers: AnswerHeaders, adjusted: readonly Adjustment[]): void {
  if (adjusted.length === 0) headers.remove('x-modelport-adjusted')
  else headers.set('x-modelport-adjusted', adjustedHeader(adjusted))
}

/** `no-cache` asks for a new answer, `no-store` also for none to be kept. */
function cacheUseOf(cacheControl = ''): ChatCall['cacheUse'] {
  const directives = cacheControl.split(',').map((each) => each.trim().toLowerCase())
  if (directives.includes('no-store')) return 'none'
  return directives.includes('no-cache') ? 'refresh' : 'use'
}

/** How the caller's program names itself; cut, because it is the caller's to choose. */
function clientOf(headers: IncomingHttpHeaders): string | null {
  return headers['user-agent']?.slice(0, 200) ?? null
}
