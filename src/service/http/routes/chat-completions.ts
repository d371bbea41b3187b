/** `POST /api/router/{router_id}/[v1/]chat/completions`: a body in, an answer or a stream out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChatCompletion, ChatRequest } from '../../../shared/chat.ts'
import type { Adjustment } from '../../../shared/model-abilities.ts'
import type { AnswerChat, FinishedExecution } from '../../agents/agent-call.ts'
import { adjustedHeader } from '../../chat/adjust.ts'
import { ClientClosed, type ChatCall, type FinishedChat } from '../../chat/chat-call.ts'
import { quotaHeaders } from '../../chat/quota.ts'
import type { Recording } from '../../chat/recordings.ts'
import type { ActiveRequests } from '../active-requests.ts'
import { callerOf } from '../caller.ts'
import { readRoutingHeaders } from '../routing-headers.ts'
import { answerOnce, type IdempotentOptions } from '../idempotent-answer.ts'
import { sentMeta } from '../sent-meta.ts'
import { headersOf, sendStream, type StreamIdentity } from '../sse.ts'
import { chatRequestJsonSchema, refuseUnfitBody } from '../validation.ts'

export interface ChatCompletionsOptions extends IdempotentOptions {
  answerChat: AnswerChat
  activeRequests: ActiveRequests
  now: () => number
  /** So long a stream's reader may take nothing of what waits for it. */
  stallMs: number
}

interface ChatRoute {
  Body: ChatRequest
}

export function chatCompletionsRoute(app: FastifyInstance, options: ChatCompletionsOptions): void {
  app.post<ChatRoute>(
    '/chat/completions',
    { schema: { body: chatRequestJsonSchema } },
    async (request, reply) => {
      const { apiKey } = callerOf(request)
      refuseUnfitBody(request.body)
      const active = options.activeRequests.start(apiKey.id)
      const { signal } = active
      onceClosed(reply, () => {
        if (!reply.raw.writableFinished) active.abort(new ClientClosed())
        active.end()
      })
      try {
        const exchange = { request, reply, signal, recording: null }
        const key = request.headers['idempotency-key']
        if (key !== undefined) {
          return await answerOnce({ ...exchange, key: String(key) }, options, (recording) =>
            answerRequest({ ...exchange, recording }, options),
          )
        }
        const body = await answerRequest(exchange, options)
        if (body !== undefined) sendCompletion(reply, JSON.stringify(body))
        return undefined
      } catch (error) {
        if (!(error instanceof ClientClosed)) throw error
        // Nobody is left to be answered.
        reply.hijack()
        return undefined
      }
    },
  )
}

/** Of the model that is asked now: once headers are out, it is the one that answers. */
function tellAdjusted(reply: FastifyReply, adjusted: readonly Adjustment[]): void {
  if (adjusted.length === 0) reply.removeHeader('x-modelport-adjusted')
  else reply.header('x-modelport-adjusted', adjustedHeader(adjusted))
}

interface ChatExchange {
  request: FastifyRequest<ChatRoute>
  reply: FastifyReply
  signal: AbortSignal
  /** Of a stream's events; null where nobody keeps them. */
  recording: Recording | null
}

/** @returns the body of an answer in one piece; undefined when it was streamed */
async function answerRequest(
  { request, reply, signal, recording }: ChatExchange,
  { answerChat, now, stallMs }: ChatCompletionsOptions,
): Promise<ChatCompletion | undefined> {
  const { apiKey, router } = callerOf(request)
  const { body, headers } = request
  const admitted = await answerChat.admit({
    requestId: request.id,
    router,
    body,
    apiKeyId: apiKey.id,
    source: 'api',
    acceptAnyModel: apiKey.acceptAnyModel,
    client: clientOf(request),
    ...readRoutingHeaders(headers),
    onAdjusted: (adjusted) => tellAdjusted(reply, adjusted),
    cacheUse: router.cacheTtlSeconds === null ? 'none' : cacheUseOf(headers['cache-control']),
  })
  if (admitted.quota) reply.headers(quotaHeaders(admitted.quota))
  if (admitted.cache) reply.header('x-modelport-cache', admitted.cache)
  const identity = {
    id: `chatcmpl-${request.id}`,
    created: Math.floor(now() / 1000),
    includeUsage: body.stream_options?.include_usage === true,
    isExplained: apiKey.explain || headers['x-modelport-explain'] === 'true',
    isKeptAlive: apiKey.keepAlive,
    signal,
    stallMs,
    recording,
  }
  if (!body.stream) return completionOf(await admitted.complete(signal), identity)
  await sendStream(reply, admitted.stream(signal), identity)
  return undefined
}

/** `no-cache` asks for a new answer, `no-store` also for none to be kept. */
function cacheUseOf(cacheControl = ''): ChatCall['cacheUse'] {
  const directives = cacheControl.split(',').map((each) => each.trim().toLowerCase())
  if (directives.includes('no-store')) return 'none'
  return directives.includes('no-cache') ? 'refresh' : 'use'
}

/** The body of an answer that is not streamed. */
function completionOf(
  chat: FinishedChat | FinishedExecution,
  { id, created, isExplained }: StreamIdentity,
): ChatCompletion {
  const { model, choices, usage } = chat
  const object = 'chat.completion'
  return { id, object, created, model, choices, usage, _meta: sentMeta(chat, isExplained) }
}

/** How the caller's program names itself; cut, because it is the caller's to choose. */
function clientOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent']?.slice(0, 200) ?? null
}

/** Past the framework, because only so can the text go out as what it nearly always is: bytes already. */
function sendCompletion(reply: FastifyReply, text: string): void {
  const length = Buffer.byteLength(text)
  // Taken from the framework only then: a header that cannot be written is its error to answer.
  reply.raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  })
  reply.hijack()
  // As many bytes as characters: none needs to be encoded.
  reply.raw.end(text, length === text.length ? 'latin1' : 'utf8')
}

/**
 * Called when the last byte is out or the client gone, at once when that is so already. The response's
 * close is the only sure sign of it: the request's comes when its body was read.
 */
function onceClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.closed) listener()
  else raw.once('close', listener)
}
