/**
 * An address that answers one request at a time: checked, previewed, answered once for each `Idempotency-Key`, and
 * aborted when the client disconnects.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { quotaHeaders } from '../../chat/admission/quota.ts'
import { ClientClosed } from '../../chat/chat-call.ts'
import type { Recording } from '../../chat/kept-answers/recordings.ts'
import type { ActiveRequests } from './active-requests.ts'
import { runChecks, type AdmissionOptions } from '../checks/admission.ts'
import type { AnswerHeaders } from './chat-exchange.ts'
import { callerOf, checkedOf } from '../checks/checked-request.ts'
import { answerOnce, type IdempotentOptions } from './idempotent-answer.ts'
import { headersOf } from './reply-sink.ts'
import type { RequestForm } from './request-forms.ts'
import { readPreviewHeader } from '../checks/routing-headers.ts'
import { withExactNumbers } from '../../exact-json.ts'

export interface AnsweringOptions extends IdempotentOptions, AdmissionOptions {
  activeRequests: ActiveRequests
}

export interface AnsweringExchange<Content> {
  request: FastifyRequest
  reply: FastifyReply
  content: Content
  signal: AbortSignal
  /** Records a stream's events for a replay; null without one. */
  recording: Recording | null
}

export interface AnsweringAddress<Content> {
  form: RequestForm
  /** Reads the body, which has passed the checks of the form. @throws ServiceError */
  read(request: FastifyRequest): Content
  /** The decision alone. Even an `Idempotency-Key` has no effect, because nothing is answered. */
  preview(request: FastifyRequest, content: Content): object
  /** @returns the body of a whole answer; undefined after a stream */
  answer(exchange: AnsweringExchange<Content>): Promise<object | undefined>
}

export type AnsweringHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export function answeringHandler<Content>(
  options: AnsweringOptions,
  address: AnsweringAddress<Content>,
): AnsweringHandler {
  return async (request, reply) => {
    const { apiKey, router } = callerOf(request)
    checkBody(request, address.form, options)
    const content = address.read(request)
    if (readPreviewHeader(request.headers)) {
      const previewed = address.preview(request, content)
      const state = await options.quotaState(router)
      if (state) reply.headers(quotaHeaders(state))
      return previewed
    }
    const active = options.activeRequests.start(apiKey.id)
    const { signal } = active
    onceClosed(reply, () => {
      if (!reply.raw.writableFinished) active.abort(new ClientClosed())
      active.end()
    })
    try {
      const exchange = { request, reply, content, signal, recording: null }
      const key = request.headers['idempotency-key']
      if (key !== undefined) {
        return await answerOnce({ ...exchange, key: String(key) }, options, (recording) =>
          address.answer({ ...exchange, recording }),
        )
      }
      const body = await address.answer(exchange)
      if (body !== undefined) sendWhole(reply, JSON.stringify(body))
      return undefined
    } catch (error) {
      if (!(error instanceof ClientClosed)) throw error
      // The client has disconnected.
      reply.hijack()
      return undefined
    }
  }
}

/** Checks that the body has the form. @throws ServiceError */
export function checkBody(
  request: FastifyRequest,
  form: RequestForm,
  options: AdmissionOptions,
): void {
  const checked = checkedOf(request)
  checked.form = form
  checked.body = request.body
  runChecks('body', checked, options)
  request.body = withExactNumbers(request.body, checked.bodyText)
}

export function answerHeadersOf(reply: FastifyReply): AnswerHeaders {
  return {
    set: (name, value) => void reply.header(name, value),
    remove: (name) => void reply.removeHeader(name),
  }
}

/** Bypasses Fastify, so that ASCII text is copied to the socket instead of encoded. */
function sendWhole(reply: FastifyReply, text: string): void {
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
