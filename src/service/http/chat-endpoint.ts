/**
 * An address that answers chats, in the form of one family: whole, streamed, previewed, and once for each
 * `Idempotency-Key`. The family's route reads the request and writes the answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Preview } from '../../shared/preview.ts'
import type { AnswerChat, FinishedExecution } from '../agents/agent-call.ts'
import { quotaHeaders } from '../chat/admission/quota.ts'
import { ClientClosed, type FinishedChat } from '../chat/chat-call.ts'
import type { PreviewChat } from '../chat/preview.ts'
import type { Recording } from '../chat/kept-answers/recordings.ts'
import type { ActiveRequests } from './active-requests.ts'
import { runChecks, type AdmissionOptions } from './admission.ts'
import { callerOf, checkedOf } from './checked-request.ts'
import {
  admitChat,
  callOf,
  identityOf,
  type AnswerIdentity,
  type RequestedChat,
} from './chat-exchange.ts'
import { answerOnce, type IdempotentOptions } from './idempotent-answer.ts'
import { headersOf, replySink } from './reply-sink.ts'
import type { RequestForm } from './request-form.ts'
import { readPreviewHeader } from './routing-headers.ts'
import { sendStream, type StreamForm } from './sse.ts'

export interface ChatEndpointOptions extends IdempotentOptions, AdmissionOptions {
  answerChat: AnswerChat
  previewChat: PreviewChat
  activeRequests: ActiveRequests
  /** How long a streaming client may read nothing while data is waiting. */
  stallMs: number
}

export interface ChatContent extends Pick<RequestedChat, 'body' | 'original'> {
  /** Text that stands before each answer; absent for families without it. */
  echoed?: string
}

/** What the addresses of one family have of their own, and what they read of a request for its answer. */
export interface ChatFamily<Content extends ChatContent = ChatContent> {
  path: string
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
  family: ChatFamily<Content>,
): void {
  app.post(family.path, async (request, reply) => {
    const { apiKey } = callerOf(request)
    checkBody(request, family.form, options)
    const content = family.read(request)
    if (readPreviewHeader(request.headers))
      return await preview(request, reply, { content, options })
    const active = options.activeRequests.start(apiKey.id)
    const { signal } = active
    onceClosed(reply, () => {
      if (!reply.raw.writableFinished) active.abort(new ClientClosed())
      active.end()
    })
    try {
      const exchange = { request, reply, content, family, signal, recording: null }
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
      // The client has disconnected.
      reply.hijack()
      return undefined
    }
  })
}

/** After this check the body has the form. @throws ServiceError */
export function checkBody(
  request: FastifyRequest,
  form: RequestForm,
  options: AdmissionOptions,
): void {
  const checked = checkedOf(request)
  checked.form = form
  checked.body = request.body
  runChecks('body', checked, options)
}

/** The decision alone. Even an `Idempotency-Key` has no effect, because nothing is answered. */
async function preview(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, options }: { content: ChatContent; options: ChatEndpointOptions },
): Promise<Preview> {
  const { id: requestId, headers } = request
  const caller = callerOf(request)
  const previewed = options.previewChat(callOf({ requestId, caller, headers, ...content }))
  const state = await options.quotaState(caller.router)
  if (state) reply.headers(quotaHeaders(state))
  return previewed
}

interface FrameworkExchange<Content extends ChatContent> {
  request: FastifyRequest
  reply: FastifyReply
  content: Content
  family: ChatFamily<Content>
  signal: AbortSignal
  /** Records a stream's events for a replay; null without one. */
  recording: Recording | null
}

/** @returns the body of a whole answer; undefined after a stream */
async function answerRequest<Content extends ChatContent>(
  { request, reply, content, family, signal, recording }: FrameworkExchange<Content>,
  { answerChat, now, stallMs }: ChatEndpointOptions,
): Promise<object | undefined> {
  const { id: requestId, headers } = request
  const caller = callerOf(request)
  const answerHeaders = {
    set: (name: string, value: string) => void reply.header(name, value),
    remove: (name: string) => void reply.removeHeader(name),
  }
  const { body, original } = content
  const exchange = {
    requestId,
    caller,
    headers,
    body,
    ...(original && { original }),
    answerHeaders,
  }
  const admitted = await admitChat(exchange, answerChat)
  const identity = identityOf(exchange, now())
  if (!body.stream) {
    return family.completion(await admitted.complete(signal), identity, content)
  }
  const form = family.streamForm?.(identity, content)
  const stream = { ...identity, signal, stallMs, recording, ...(form && { form }) }
  await sendStream(replySink(reply), admitted.stream(signal), stream)
  return undefined
}

/** Bypasses Fastify, so that ASCII text is copied to the socket instead of encoded. */
function sendCompletion(reply: FastifyReply, text: string): void {
  const length = Buffer.byteLength(text)
  // Hijack only now: Fastify answers with an error when a header is invalid.
  reply.raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'application/json; charset=utf-8',
    'content-length': length,
  })
  reply.hijack()
  // As many bytes as characters: the text is ASCII and needs no encoding.
  reply.raw.end(text, length === text.length ? 'latin1' : 'utf8')
}

/**
 * Calls back when the last byte is sent or the client has disconnected, and at once if that has happened. Only the
 * response's `close` is reliable: the request's comes when its body has been read.
 */
function onceClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.closed) listener()
  else raw.once('close', listener)
}
