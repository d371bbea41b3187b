/** One chat request over HTTP, shared by the fast lane and the Fastify route. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatCompletion, ChatRequest } from '../../../shared/chat/chat.ts'
import type { Fallback } from '../../../shared/routers/fallback-record.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
import type { AdmittedExecution, AnswerChat, FinishedExecution } from '../../agents/agent-call.ts'
import { adjustedHeader } from '../../chat/attempts/adjust.ts'
import type { AdmittedChat, ChatCall, FinishedChat, OriginalCall } from '../../chat/chat-call.ts'
import { quotaHeaders, type QuotaState } from '../../chat/admission/quota.ts'
import { conversationOfAgent } from '../../chat/sessions/asker.ts'
import { isSafetyModelAlone, routerOfCheck } from '../../chat/sessions/router-of-check.ts'
import { whoAsks } from '../../chat/sessions/who-asks.ts'
import { clientOf } from '../checks/admission.ts'
import type { Caller } from '../checks/auth.ts'
import { readableHeaders } from '../checks/cors.ts'
import {
  readRoutingHeaders,
  type RoutingHeaders,
  readTraceparent,
} from '../checks/routing-headers.ts'
import { sentMeta } from './sent-meta.ts'

export interface RequestedChat {
  requestId: string
  caller: Caller
  headers: IncomingHttpHeaders
  body: ChatRequest
  /** The request as it arrived in another family's form. */
  original?: OriginalCall
}

export interface ChatExchange extends RequestedChat {
  answerHeaders: AnswerHeaders
  /** Called once a row of the ledger follows, however the request ends. */
  onAdmitted(): void
}

export interface AnswerHeaders {
  set(name: string, value: string): void
  remove(name: string): void
}

/** @throws ServiceError as `AnswerChat.admit` does, and for an invalid header */
export async function admitChat(
  exchange: ChatExchange,
  answerChat: AnswerChat,
): Promise<AdmittedChat | AdmittedExecution> {
  const { answerHeaders } = exchange
  const call = callOf(exchange)
  const { asker, router } = call
  const isAnsweredCheck = asker?.kind === 'safety' && isSafetyModelAlone(router)
  if (isAnsweredCheck) tellSafetyModel(answerHeaders, router.routing.safetyModel)
  const admitted = await answerChat.admit({
    ...call,
    onAdjusted: (adjusted) => {
      tellAdjusted(answerHeaders, adjusted)
      // Claude Code then sends its checks apart.
      const isUnchecked = adjusted.some(({ parameter }) => parameter === 'safeguards')
      if (!isAnsweredCheck)
        tellSafetyModel(answerHeaders, isUnchecked ? router.routing.safetyModel : null)
    },
    onFallback: (fallback) => tellFallback(answerHeaders, fallback),
    onHeaders: (passed) =>
      setHeaders(answerHeaders, readableHeaders(passed, exchange.headers.origin)),
  })
  exchange.onAdmitted()
  setQuotaHeaders(answerHeaders, admitted.quota)
  if (admitted.cache) answerHeaders.set('x-modelport-cache', admitted.cache)
  return admitted
}

/** @param quota  null when the router has no limit */
export function setQuotaHeaders(headers: AnswerHeaders, quota: QuotaState | null): void {
  if (quota === null) return
  setHeaders(headers, quotaHeaders(quota))
}

export function setHeaders(headers: AnswerHeaders, values: Readonly<Record<string, string>>): void {
  for (const name in values) headers.set(name, values[name] ?? '')
}

/** @throws ServiceError invalid_parameter for an invalid header */
export function callOf({ requestId, caller, headers, body, original }: RequestedChat): ChatCall {
  const { apiKey } = caller
  const routing = taggedBy(apiKey, readRoutingHeaders(headers))
  const asker = whoAsks({ headers, body, fields: original?.fields ?? {} })
  const isCheck = asker.kind === 'safety'
  const router = isCheck ? routerOfCheck(caller.router, body.model) : caller.router
  return {
    requestId,
    router,
    // The safety model answers whatever model the check names.
    body: isCheck && isSafetyModelAlone(router) ? { ...body, model: 'auto' } : body,
    apiKeyId: apiKey.id,
    source: 'api',
    acceptAnyModel: apiKey.acceptAnyModel,
    client: clientOf(headers),
    ...routing,
    traceparent: readTraceparent(headers),
    asker,
    conversation:
      routing.conversation ?? conversationOfAgent(asker) ?? original?.conversation ?? null,
    original,
    cacheUse: router.cacheTtlSeconds === null ? 'none' : cacheUseOf(headers['cache-control']),
  }
}

/** The header wins over the tag of the key. */
export function taggedBy({ tag }: Caller['apiKey'], headers: RoutingHeaders): RoutingHeaders {
  return headers.tag === null && tag !== null ? { ...headers, tag } : headers
}

export interface AnswerIdentity {
  requestId: string
  /** `chatcmpl-` + the request id. */
  id: string
  /** Unix seconds. */
  created: number
  /** Whether `_meta` includes the decision. */
  isExplained: boolean
  /** The name that the answer carries as its model; null for the model that answers. */
  askedModel: string | null
  /** Whether the usage of a stream has its own chunk. */
  includeUsage: boolean
  /** Whether comments are sent during long silences of a stream. */
  isKeptAlive: boolean
}

export function identityOf(exchange: ChatExchange, nowMs: number): AnswerIdentity {
  const { requestId, caller, headers, body } = exchange
  return {
    requestId,
    id: `chatcmpl-${requestId}`,
    created: Math.floor(nowMs / 1000),
    isExplained: wantsExplanation(caller.apiKey, headers),
    askedModel: caller.apiKey.acceptAnyModel ? nameOf(body) : null,
    includeUsage: body.stream_options?.include_usage === true,
    isKeptAlive: caller.apiKey.keepAlive,
  }
}

/** Whether `_meta` includes the decision. */
export function wantsExplanation(
  { explain }: Caller['apiKey'],
  headers: IncomingHttpHeaders,
): boolean {
  return explain || headers['x-modelport-explain'] === 'true'
}

/** @returns null where the request names no model */
function nameOf({ model }: ChatRequest): string | null {
  return model === undefined || model === '' || model === 'auto' ? null : model
}

/** Clients that choose a model by name compare it with the answer's, and store it for their next session. */
export function withAskedModel<Part extends { model: string }>(
  part: Part,
  { askedModel }: Pick<AnswerIdentity, 'askedModel'>,
): Part {
  return askedModel === null ? part : { ...part, model: askedModel }
}

/** The body of a whole answer. */
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

/** Sets the header as a dictionary of RFC 8941. */
export function tellFallback(headers: AnswerHeaders, { from, reason }: Fallback): void {
  headers.set('x-modelport-fallback', `from=${quoted(from)}, reason=${reason}`)
}

/** @param model  that answers checks of actions; null for none */
function tellSafetyModel(headers: AnswerHeaders, model: string | null): void {
  if (model === null) headers.remove('x-modelport-safety-model')
  else headers.set('x-modelport-safety-model', quoted(model))
}

/** A string of RFC 8941, which is ASCII. */
function quoted(text: string): string {
  const ascii = text.replaceAll(/[^\x20-\x7e]/gu, '?')
  return `"${ascii.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Adjustments for the current model. Once headers are sent, it is the model that answers. */
export function tellAdjusted(headers: AnswerHeaders, adjusted: readonly Adjustment[]): void {
  if (adjusted.length === 0) headers.remove('x-modelport-adjusted')
  else headers.set('x-modelport-adjusted', adjustedHeader(adjusted))
}

/** `no-cache` requests a new answer; with `no-store` it is not cached either. */
function cacheUseOf(cacheControl = ''): ChatCall['cacheUse'] {
  const directives = cacheControl.split(',').map((each) => each.trim().toLowerCase())
  if (directives.includes('no-store')) return 'none'
  return directives.includes('no-cache') ? 'refresh' : 'use'
}
