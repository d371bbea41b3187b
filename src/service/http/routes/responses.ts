/**
 * `POST /api/router/{router_id}/[v1/]responses`: answers like chat completions, in the form of OpenAI's Responses API.
 */
import type { FastifyInstance } from 'fastify'
import {
  readResponses,
  type ReadResponses,
} from '../../families/openai-responses/endpoint/read-request.ts'
import type { ResponsesRequest } from '../../families/openai-responses/endpoint/request-schema.ts'
import { writeResponse } from '../../families/openai-responses/endpoint/write-answer.ts'
import { ResponseStream } from '../../families/openai-responses/endpoint/write-stream.ts'
import { checkedOf } from '../checks/checked-request.ts'
import { chatEndpoint, type ChatEndpointOptions } from '../answers/chat-endpoint.ts'
import { withAskedModel, type AnswerIdentity } from '../answers/chat-exchange.ts'
import { sentMeta } from '../answers/sent-meta.ts'
import type { StreamForm } from '../answers/sse.ts'

export function responsesRoutes(app: FastifyInstance, options: ChatEndpointOptions): void {
  const { now } = options
  chatEndpoint<ReadResponses>(app, options, {
    path: '/responses',
    form: 'responses',
    read(request) {
      const { bodyText: text } = checkedOf(request)
      // Checked by its schema.
      return readResponses(request.body as ResponsesRequest, { text, headers: request.headers })
    },
    completion(finished, identity, { request, names }) {
      const { requestId, created } = identity
      const meta = sentMeta(finished, identity.isExplained)
      const answer = withAskedModel(finished, identity)
      return writeResponse(answer, { requestId, created, now, request, names, meta })
    },
    streamForm: (identity, content) => streamForm(identity, content, now),
  })
}

function streamForm(
  identity: AnswerIdentity,
  { request, names, original }: ReadResponses,
  now: () => number,
): StreamForm {
  const { requestId, created, isExplained } = identity
  const isStored = original.stateField !== null
  const stream = new ResponseStream({ requestId, created, now, request, names, isStored })
  return {
    deltas: (part) => stream.deltas(withAskedModel(part, identity)),
    end: (part) =>
      stream.end({ ...withAskedModel(part, identity), meta: sentMeta(part, isExplained) }),
    error: (error) => stream.error(error),
    ending: '',
    keepAlive: () => stream.keepAlive(),
  }
}
