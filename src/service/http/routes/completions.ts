/** `POST /api/router/{router_id}/[v1/]completions`: OpenAI's legacy text completions, answered by chat models. */
import type { FastifyInstance } from 'fastify'
import {
  echoedText,
  readCompletions,
} from '../../families/openai-completions/endpoint/read-request.ts'
import type { CompletionsRequest } from '../../families/openai-completions/endpoint/request-schema.ts'
import {
  TextEvents,
  writeTextCompletion,
  type TextIdentity,
} from '../../families/openai-completions/endpoint/write-answer.ts'
import {
  chatEndpoint,
  type ChatContent,
  type ChatEndpointOptions,
} from '../answers/chat-endpoint.ts'
import type { AnswerIdentity } from '../answers/chat-exchange.ts'
import { sentMeta } from '../answers/sent-meta.ts'
import { chatEnding, chatKeepAlive, errorEvent, type StreamForm } from '../answers/sse.ts'

export function completionsRoute(app: FastifyInstance, options: ChatEndpointOptions): void {
  chatEndpoint(app, options, {
    path: '/completions',
    form: 'completions',
    read(request) {
      // Checked by its schema.
      const body = request.body as CompletionsRequest
      return { body: readCompletions(body), echoed: echoedText(body) }
    },
    completion: (finished, identity, content) =>
      writeTextCompletion(
        finished,
        textIdentity(identity, content),
        sentMeta(finished, identity.isExplained),
      ),
    streamForm,
  })
}

function textIdentity(
  { requestId, created }: AnswerIdentity,
  { echoed = '' }: ChatContent,
): TextIdentity {
  return { id: `cmpl-${requestId}`, created, prefix: echoed }
}

function streamForm(identity: AnswerIdentity, content: ChatContent): StreamForm {
  const { includeUsage, isExplained } = identity
  const events = new TextEvents({ ...textIdentity(identity, content), includeUsage })
  return {
    deltas: (part) => events.deltas(part),
    end: (part) => events.end({ ...part, meta: sentMeta(part, isExplained) }),
    error: errorEvent,
    ending: chatEnding,
    keepAlive: () => chatKeepAlive,
  }
}
