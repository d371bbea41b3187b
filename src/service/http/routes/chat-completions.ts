/** `POST /api/router/{router_id}/[v1/]chat/completions`: a body in, an answer or a stream out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChatCompletion, ChatRequest } from '../../../shared/chat.ts'
import { ClientClosed, metaOf, type CompleteChat, type FinishedChat } from '../../chat/chat-call.ts'
import { quotaHeaders } from '../../chat/quota.ts'
import type { ActiveRequests } from '../active-requests.ts'
import { callerOf } from '../caller.ts'
import { sendStream, type StreamIdentity } from '../sse.ts'
import { chatRequestJsonSchema, refuseUnfitBody } from '../validation.ts'

export interface ChatCompletionsOptions {
  completeChat: CompleteChat
  activeRequests: ActiveRequests
  now: () => number
}

export function chatCompletionsRoute(app: FastifyInstance, options: ChatCompletionsOptions): void {
  app.post<{ Body: ChatRequest }>(
    '/chat/completions',
    { schema: { body: chatRequestJsonSchema } },
    async (request, reply) => {
      const { apiKey, router } = callerOf(request)
      const { body } = request
      refuseUnfitBody(body)
      const { signal, abort, end } = options.activeRequests.start(apiKey.id)
      onClientGone(reply, () => abort(new ClientClosed()))
      try {
        const admitted = await options.completeChat.admit({
          requestId: request.id,
          router,
          body,
          apiKeyId: apiKey.id,
          source: 'api',
          acceptAnyModel: apiKey.acceptAnyModel,
          client: clientOf(request),
        })
        if (admitted.quota) reply.headers(quotaHeaders(admitted.quota))
        const identity = {
          id: `chatcmpl-${request.id}`,
          created: Math.floor(options.now() / 1000),
          includeUsage: body.stream_options?.include_usage === true,
          isExplained: apiKey.explain || request.headers['x-modelport-explain'] === 'true',
          isKeptAlive: apiKey.keepAlive,
          signal,
        }
        if (body.stream) return await sendStream(reply, admitted.stream(signal), identity)
        return completionOf(await admitted.complete(signal), identity)
      } catch (error) {
        if (!(error instanceof ClientClosed)) throw error
        // Nobody is left to be answered.
        reply.hijack()
        return undefined
      } finally {
        onceClosed(reply, end)
      }
    },
  )
}

/** The body of an answer that is not streamed. */
function completionOf(
  chat: FinishedChat,
  { id, created, isExplained }: StreamIdentity,
): ChatCompletion {
  const { model, choices, usage } = chat
  const object = 'chat.completion'
  return { id, object, created, model, choices, usage, _meta: metaOf(chat, isExplained) }
}

/** How the caller's program names itself; cut, because it is the caller's to choose. */
function clientOf({ headers }: FastifyRequest): string | null {
  return headers['user-agent']?.slice(0, 200) ?? null
}

/** The response's close is the only sure sign: the request's comes when its body was read. */
function onClientGone(reply: FastifyReply, listener: () => void): void {
  onceClosed(reply, () => {
    if (!reply.raw.writableFinished) listener()
  })
}

/** Called when the last byte is out or the client gone, at once when that is so already. */
function onceClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.closed) listener()
  else raw.once('close', listener)
}
