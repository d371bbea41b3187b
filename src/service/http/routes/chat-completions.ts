/** `POST /api/router/{router_id}/[v1/]chat/completions`: a body in, an answer or a stream out. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ChatRequest } from '../../../shared/chat.ts'
import { collectCompletion } from '../../chat/collect.ts'
import { ClientClosed, type CompleteChat } from '../../chat/complete-chat.ts'
import { quotaHeaders } from '../../chat/quota.ts'
import type { ActiveRequests } from '../active-requests.ts'
import { callerOf } from '../caller.ts'
import { sendStream } from '../sse.ts'
import { chatRequestJsonSchema, refuseForbiddenFields } from '../validation.ts'

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
      refuseForbiddenFields(body)
      const admitted = await options.completeChat.admit({
        requestId: request.id,
        router,
        body,
        apiKeyId: apiKey.id,
        source: 'api',
        acceptAnyModel: apiKey.acceptAnyModel,
      })
      if (admitted.quota) reply.headers(quotaHeaders(admitted.quota))
      const active = options.activeRequests.start(apiKey.id)
      onClientGone(reply, () => active.abort(new ClientClosed()))
      const parts = admitted.run(active.signal)
      const identity = {
        id: `chatcmpl-${request.id}`,
        created: Math.floor(options.now() / 1000),
        includeUsage: body.stream_options?.include_usage === true,
      }
      try {
        if (body.stream) return await sendStream(reply, parts, identity)
        return await collectCompletion(parts, identity)
      } finally {
        active.end()
      }
    },
  )
}

/** The response's close is the only sure sign: the request's comes when its body was read. */
function onClientGone({ raw }: FastifyReply, listener: () => void): void {
  raw.once('close', () => {
    if (!raw.writableFinished) listener()
  })
}
