/** Every failure, also the framework's and the HTTP parser's, in the one form callers know. */
import type { FastifyReply } from 'fastify'
import type { Socket } from 'node:net'
import { ServiceError, type ErrorCode } from '../errors.ts'
import { endWith, rawResponse } from './listener.ts'

const frameworkErrors: Readonly<Record<string, [code: ErrorCode, message: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'body_too_large',
    'The body is larger than the limit, which is a setting.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid_json', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_json',
    'The body is not as long as its content-length says.',
  ],
  FST_ERR_BAD_URL: ['endpoint_not_found', 'There is nothing at this address.'],
  FST_ERR_MAX_PARAM_LENGTH: ['endpoint_not_found', 'There is nothing at this address.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
  ],
  // The client went away while its body was on the way: nobody reads this answer.
  ECONNRESET: ['invalid_json', 'The body did not arrive whole.'],
}

/** @param onBug  told of what is neither expected nor the framework's */
export function toServiceError(error: unknown, onBug: (error: unknown) => void): ServiceError {
  if (error instanceof ServiceError) return error
  const known =
    error instanceof Error && 'code' in error ? frameworkErrors[String(error.code)] : null
  if (known) return new ServiceError(...known)
  onBug(error)
  return new ServiceError('internal_error', 'Something went wrong in Modelport. Try again.', {
    cause: error,
  })
}

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply
    .code(error.status)
    .headers({ 'cache-control': 'no-store', ...error.headers })
    .send(error.toBody())
}

/** Answers on the bare socket: the HTTP parser gave up before there was a request. */
export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  // The parser repeats itself for every byte that follows.
  if (socket.writableEnded) return
  // After a failed handshake, or a reset, nothing can be said.
  if (!isOfParser(error) || !socket.writable) return void socket.destroy()
  const [reason, failure] = parserFailure(error.code)
  const body = failure.toBody()
  endWith(socket, rawResponse(failure.status, reason, { body, requestId }))
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
