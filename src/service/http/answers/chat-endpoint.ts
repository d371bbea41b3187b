/**
 * An address that answers chats, in the form of one family: whole, streamed, previewed, and once for each
 * `Idempotency-Key`. The family's route reads the request and writes the answer.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Preview } from '../../../shared/routers/preview.ts'
import type { AnswerChat, FinishedExecution } from '../../agents/agent-call.ts'
import type { FinishedChat } from '../../chat/chat-call.ts'
import type { PreviewChat } from '../../chat/preview.ts'
import {
  answerHeadersOf,
  answeringHandler,
  type AnsweringExchange,
  type AnsweringHandler,
  type AnsweringOptions,
} from './answering-endpoint.ts'
import {
  admitChat,
  callOf,
  identityOf,
  type AnswerIdentity,
  type RequestedChat,
} from './chat-exchange.ts'
import { callerOf, noteAdmitted } from '../checks/checked-request.ts'
import { replySink } from './reply-sink.ts'
import type { RequestForm } from './request-forms.ts'
import { sendStream, type StreamForm } from './sse.ts'

export interface ChatEndpointOptions extends AnsweringOptions {
  answerChat: AnswerChat
  previewChat: PreviewChat
  /** How long a streaming client may read nothing while data is waiting. */
  stallMs: number
}

export interface ChatContent extends Pick<RequestedChat, 'body' | 'original'> {
  /** Text that stands before each answer; absent for families without it. */
  echoed?: string
}

/** What the addresses of one family have of their own, and what they read of a request for its answer. */
export interface ChatFamily<Content extends ChatContent = ChatContent> {
  form: RequestForm
  /** Reads the body, which has passed the checks of the form. @throws ServiceError */
  read(request: FastifyRequest): Content
  /** The body of a whole answer. */
  completion(
    finished: FinishedChat | FinishedExecution,
    identity: AnswerIdentity,
    content: Content,
  ): object
  /** Absent for the events of OpenAI's chat form. */
  streamForm?(identity: AnswerIdentity, content: Content): StreamForm
}

export function chatEndpoint<Content extends ChatContent>(
  app: FastifyInstance,
  options: ChatEndpointOptions,
  family: ChatFamily<Content> & { path: string },
): void {
  app.post(family.path, chatHandler(options, family))
}

/** Answers the requests of an address that the family routes itself. */
export function chatHandler<Content extends ChatContent>(
  options: ChatEndpointOptions,
  family: ChatFamily<Content>,
): AnsweringHandler {
  return answeringHandler(options, {
    form: family.form,
    read: (request) => family.read(request),
    preview: (request, content) => previewOf(request, { content, options }),
    answer: (exchange) => answerRequest({ ...exchange, family }, options),
  })
}

function previewOf(
  request: FastifyRequest,
  { content, options }: { content: ChatContent; options: ChatEndpointOptions },
): Preview {
  const { id: requestId, headers } = request
  const caller = callerOf(request)
  return options.previewChat(callOf({ requestId, caller, headers, ...content }))
}

interface FrameworkExchange<Content extends ChatContent> extends AnsweringExchange<Content> {
  family: ChatFamily<Content>
}

/** @returns the body of a whole answer; undefined after a stream */
async function answerRequest<Content extends ChatContent>(
  { request, reply, content, family, signal, recording }: FrameworkExchange<Content>,
  { answerChat, now, stallMs }: ChatEndpointOptions,
): Promise<object | undefined> {
  const { id: requestId, headers } = request
  const caller = callerOf(request)
  const answerHeaders = answerHeadersOf(reply)
  const { body, original } = content
  const exchange = {
    requestId,
    caller,
    headers,
    body,
    ...(original && { original }),
    answerHeaders,
    onAdmitted: () => noteAdmitted(request),
  }
  const admitted = await admitChat(exchange, answerChat)
  const identity = identityOf(exchange, now())
  if (!body.stream) {
    return family.completion(await admitted.complete(signal), identity, content)
  }
  const form = family.streamForm?.(identity, content)
  if (form?.contentType !== undefined) reply.header('content-type', form.contentType)
  const stream = { ...identity, signal, stallMs, recording, ...(form && { form }) }
  await sendStream(replySink(reply), admitted.stream(signal), stream)
  return undefined
}
