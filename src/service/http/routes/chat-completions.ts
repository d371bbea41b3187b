/** `POST /api/router/{router_id}/[v1/]chat/completions`: returns an answer, a stream or a preview. */
import type { FastifyInstance } from 'fastify'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { chatEndpoint, type ChatEndpointOptions } from '../answers/chat-endpoint.ts'
import { completionOf } from '../answers/chat-exchange.ts'

export function chatCompletionsRoute(app: FastifyInstance, options: ChatEndpointOptions): void {
  chatEndpoint(app, options, {
    path: '/chat/completions',
    form: 'chat',
    // Checked by its schema.
    read: ({ body }) => ({ body: body as ChatRequest }),
    completion: completionOf,
  })
}
