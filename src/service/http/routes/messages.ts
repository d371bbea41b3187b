/**
 * Anthropic's addresses: `POST /api/router/{router_id}/[v1/]messages` answers like chat completions, in Anthropic's
 * form; `…/messages/count_tokens` counts the tokens of a request, counts against no limit and stores nothing.
 */
import type { FastifyInstance } from 'fastify'
import type { CountTokens } from '../../chat/token-counts/count-tokens.ts'
import { countPrompt } from '../../chat/admission/request-needs.ts'
import {
  readMessages,
  readTokenCount,
  type ReadMessages,
} from '../../families/anthropic/endpoint/read-request.ts'
import type {
  MessagesRequest,
  TokenCountRequest,
} from '../../families/anthropic/endpoint/request-schema.ts'
import { writeMessage } from '../../families/anthropic/endpoint/write-answer.ts'
import { errorEvent } from '../../families/anthropic/endpoint/write-error.ts'
import { MessageEvents, pingEvent } from '../../families/anthropic/endpoint/write-stream.ts'
import { callerOf, checkedOf } from '../checks/checked-request.ts'
import { checkBody } from '../answers/answering-endpoint.ts'
import { chatEndpoint, type ChatEndpointOptions } from '../answers/chat-endpoint.ts'
import { callOf, withAskedModel, type AnswerIdentity } from '../answers/chat-exchange.ts'
import { sentMeta } from '../answers/sent-meta.ts'
import type { StreamForm } from '../answers/sse.ts'

export interface MessagesOptions extends ChatEndpointOptions {
  countTokens: CountTokens
}

export function messagesRoutes(app: FastifyInstance, options: MessagesOptions): void {
  chatEndpoint<ReadMessages>(app, options, {
    path: '/messages',
    form: 'messages',
    read(request) {
      const { bodyText: text } = checkedOf(request)
      const { headers, query } = request
      // Checked by its schema.
      return readMessages(request.body as MessagesRequest, { text, headers, query })
    },
    completion: (finished, identity, { names }) =>
      writeMessage(withAskedModel(finished, identity), {
        id: messageId(identity.requestId),
        names,
        meta: sentMeta(finished, identity.isExplained),
      }),
    streamForm,
  })
  app.post('/messages/count_tokens', async (request, reply) => {
    checkBody(request, 'token_count', options)
    // Checked by its schema.
    const body = request.body as TokenCountRequest
    const { id: requestId, headers, query } = request
    const content = readTokenCount(body, { text: checkedOf(request).bodyText, headers, query })
    const call = callOf({ requestId, caller: callerOf(request), headers, ...content })
    const { tokens, isEstimated } = await options.countTokens(call)
    return await reply
      .header('x-modelport-estimated', String(isEstimated))
      .send({ input_tokens: tokens })
  })
}

function messageId(requestId: string): string {
  return `msg_${requestId}`
}

function streamForm(identity: AnswerIdentity, { body, names }: ReadMessages): StreamForm {
  const { requestId, isExplained } = identity
  const events = new MessageEvents({
    id: messageId(requestId),
    names,
    promptTokens: () => countPrompt(body),
  })
  return {
    deltas: (part) => events.deltas(withAskedModel(part, identity)),
    end: (part) =>
      events.end({ ...withAskedModel(part, identity), meta: sentMeta(part, isExplained) }),
    error: errorEvent,
    ending: '',
    keepAlive: () => pingEvent,
  }
}
