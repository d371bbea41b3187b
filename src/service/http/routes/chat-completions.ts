/** `POST /api/router/{router_id}/[v1/]chat/completions`: returns an answer, a stream or a preview. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChatCompletion, ChatRequest } from '../../../shared/chat.ts'
import type { Preview } from '../../../shared/preview.ts'
import type { AnswerChat } from '../../agents/agent-call.ts'
import { quotaHeaders } from '../../chat/admission/quota.ts'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { PreviewChat } from '../../chat/preview.ts'
import type { Recording } from '../../chat/kept-answers/recordings.ts'
import type { ActiveRequests } from '../active-requests.ts'
import { runChecks, type AdmissionOptions } from '../admission.ts'
import { callerOf, checkedOf } from '../checked-request.ts'
import { admitChat, callOf, completionOf, identityOf } from '../chat-exchange.ts'
import { answerOnce, type IdempotentOptions } from '../idempotent-answer.ts'
import { headersOf, replySink } from '../reply-sink.ts'
import { readPreviewHeader } from '../routing-headers.ts'
import { sendStream } from '../sse.ts'

export interface ChatCompletionsOptions extends IdempotentOptions, AdmissionOptions {
  answerChat: AnswerChat
  previewChat: PreviewChat
  activeRequests: ActiveRequests
  /** How long a streaming client may read nothing while data is waiting. */
  stallMs: number
}

interface ChatRoute {
  Body: ChatRequest
}

export function chatCompletionsRoute(app: FastifyInstance, options: ChatCompletionsOptions): void {
  app.post<ChatRoute>('/chat/completions', async (request, reply) => {
    const { apiKey } = callerOf(request)
    checkBody(request, options)
    if (readPreviewHeader(request.headers)) return await preview(request, reply, options)
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
      // The client has disconnected.
      reply.hijack()
      return undefined
    }
  })
}

/** After this check the body has the type that `ChatRoute` declares. @throws ServiceError */
function checkBody(request: FastifyRequest<ChatRoute>, options: AdmissionOptions): void {
  const checked = checkedOf(request)
  checked.body = request.body
  runChecks('body', checked, options)
}

/** The decision alone. Even an `Idempotency-Key` has no effect, because nothing is answered. */
async function preview(
  request: FastifyRequest<ChatRoute>,
  reply: FastifyReply,
  { previewChat, quotaState }: ChatCompletionsOptions,
): Promise<Preview> {
  const { id: requestId, body, headers } = request
  const caller = callerOf(request)
  const previewed = previewChat(callOf({ requestId, caller, headers, body }))
  const state = await quotaState(caller.router)
  if (state) reply.headers(quotaHeaders(state))
  return previewed
}

interface FrameworkExchange {
  request: FastifyRequest<ChatRoute>
  reply: FastifyReply
  signal: AbortSignal
  /** Records a stream's events for a replay; null without one. */
  recording: Recording | null
}

/** @returns the body of a whole answer; undefined after a stream */
async function answerRequest(
  { request, reply, signal, recording }: FrameworkExchange,
  { answerChat, now, stallMs }: ChatCompletionsOptions,
): Promise<ChatCompletion | undefined> {
  const { id: requestId, body, headers } = request
  const caller = callerOf(request)
  const answerHeaders = {
    set: (name: string, value: string) => void reply.header(name, value),
    remove: (name: string) => void reply.removeHeader(name),
  }
  const exchange = { requestId, caller, headers, body, answerHeaders }
  const admitted = await admitChat(exchange, answerChat)
  const identity = identityOf(exchange, now())
  if (!body.stream) return completionOf(await admitted.complete(signal), identity)
  const stream = { ...identity, signal, stallMs, recording }
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
