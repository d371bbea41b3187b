/** Converts every failure, including Fastify's and the HTTP parser's, to the API's error form. */
import type { FastifyReply } from 'fastify'
import type { Socket } from 'node:net'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { readableHeaders } from '../checks/cors.ts'
import { endWith, rawResponse } from '../sockets/listener.ts'
import { formOf } from '../answers/request-form.ts'
import { rulesOf } from '../answers/request-forms.ts'

const frameworkErrors: Readonly<Record<string, [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body_too_large',
    'The body is larger than the limit. Raise "bodyLimitMib" in the settings.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_json', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_json',
    'The body does not have the length that its content-length states.',
  ],
  FST_ERR_BAD_URL: ['endpoint_not_found', 'This address does not exist.'],
  FST_ERR_MAX_PARAM_LENGTH: ['endpoint_not_found', 'This address does not exist.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
  ],
  // The client disconnected while sending its body, so this answer is never read.
  ECONNRESET: ['invalid_json', 'The body is incomplete.'],
}

/** Called with unexpected errors. @param requestId  of the request that failed */
export type OnBug = (error: unknown, requestId?: string) => void

/** @param onBug  called with errors that are neither expected nor Fastify's */
export function toServiceError(error: unknown, onBug: OnBug, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error
  const known =
    error instanceof Error && 'code' in error ? frameworkErrors[String(error.code)] : null
  if (known) return new ServiceError(...known)
  onBug(error, requestId)
  return new ServiceError('internal_error', 'Something went wrong in Modelport. Try again.', {
    cause: error,
  })
}

/** Sends the error in the form of the request's family. @param nowMs  Unix milliseconds */
export function sendError(reply: FastifyReply, error: ServiceError, nowMs: number): FastifyReply {
  const { id, raw } = reply.request
  const { status, headers, body } = rulesOf(formOf(raw.url ?? '', raw.headers)).errors
  return reply
    .code(status(error))
    .headers({
      'cache-control': 'no-store',
      ...readableHeaders(headers(error, id), raw.headers.origin),
    })
    .send(body(error, { requestId: id, nowMs }))
}

/**
 * Answers on the bare socket, because the HTTP parser failed before there was a request.
 * @returns the code of the answer; null when there is none
 */
export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): ErrorCode | null {
  // The parser reports the error again for every following byte.
  if (socket.writableEnded) return null
  // After a failed handshake or a reset, no answer can be sent.
  if (!isOfParser(error) || !socket.writable) {
    socket.destroy()
    return null
  }
  const [reason, failure] = parserFailure(error.code)
  const body = failure.toBody()
  endWith(socket, rawResponse(failure.status, reason, { body, requestId }))
  return failure.code
}

function isOfParser({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
}

function parserFailure(code: string | undefined): [reason: string, ServiceError] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [
        'Request Header Fields Too Large',
        new ServiceError('headers_too_large', 'The headers are larger than 16 KiB.'),
      ]
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [
        'Request Timeout',
        new ServiceError('request_timeout', 'The request did not arrive in time.'),
      ]
    default:
      return [
        'Bad Request',
        new ServiceError('invalid_parameter', 'The request is not valid HTTP.'),
      ]
  }
}
