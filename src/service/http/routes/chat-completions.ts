/** `POST /api/router/{router_id}/[v1/]chat/completions`: a body in, an answer or a stream out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChatCompletion, ChatRequest } from '../../../shared/chat.ts'
import type { AnswerChat } from '../../agents/agent-call.ts'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { Recording } from '../../chat/kept-answers/recordings.ts'
import type { ActiveRequests } from '../active-requests.ts'
import { runChecks, type AdmissionOptions } from '../admission.ts'
import { callerOf, checkedOf } from '../checked-request.ts'
import { admitChat, completionOf, identityOf } from '../chat-exchange.ts'
import { answerOnce, type IdempotentOptions } from '../idempotent-answer.ts'
import { headersOf, replySink } from '../reply-sink.ts'
import { sendStream } from '../sse.ts'

export interface ChatCompletionsOptions extends IdempotentOptions, AdmissionOptions {
  answerChat: AnswerChat
  activeRequests: ActiveRequests
  /** So long a stream's reader may take nothing of what waits for it. */
  stallMs: number
}

interface ChatRoute {
  Body: ChatRequest
}

export function chatCompletionsRoute(app: FastifyInstance, options: ChatCompletionsOptions): void {
  app.post<ChatRoute>('/chat/completions', async (request, reply) => {
    const { apiKey } = callerOf(request)
    checkBody(request, options)
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
  })
}

/** From here on the body is what `ChatRoute` says. @throws ServiceError */
function checkBody(request: FastifyRequest<ChatRoute>, options: AdmissionOptions): void {
  const checked = checkedOf(request)
  checked.body = request.body
  runChecks('body', checked, options)
}

interface FrameworkExchange {
  request: FastifyRequest<ChatRoute>
  reply: FastifyReply
  signal: AbortSignal
  /** Of a stream's events; null where nobody keeps them. */
  recording: Recording | null
}

/** @returns the body of an answer in one piece; undefined when it was streamed */
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
