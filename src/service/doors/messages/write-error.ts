/** Errors in Anthropic's form, whose SDKs choose their error classes by status and `type`. */
import type { ErrorCode, ServiceError } from '../../errors.ts'
import { eventOf } from './write-stream.ts'

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
}

const typesByCode: Readonly<Partial<Record<ErrorCode, string>>> = {
  overloaded: 'overloaded_error',
  request_timeout: 'timeout_error',
}

/** A repetition may succeed, although the error names no waiting time. */
const passing: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'overloaded'])

export function errorBody(error: ServiceError, requestId: string): object {
  return { type: 'error', error: errorOf(error), request_id: requestId }
}

/** Claude Code repeats a request up to eleven times unless it is told that this is useless. */
export function errorHeaders(error: ServiceError, requestId: string): Record<string, string> {
  const { code, headers } = error
  const isFinal = headers['retry-after'] === undefined && !passing.has(code)
  return {
    'request-id': requestId,
    'x-modelport-error-code': code,
    ...(isFinal ? { 'x-should-retry': 'false' } : {}),
    ...headers,
  }
}

/** An error after the stream has begun. */
export function errorEvent(error: ServiceError): string {
  return eventOf('error', { error: errorOf(error) })
}

function errorOf(error: ServiceError): { type: string; message: string } {
  const { code, status, message } = error
  const family = status < 500 ? 'invalid_request_error' : 'api_error'
  const type = typesByCode[code] ?? typesByStatus[status] ?? family
  // Claude Code shortens the conversation when it reads these words.
  const isSaid = message.startsWith('prompt is too long')
  const says = code === 'context_length_exceeded' && !isSaid ? 'prompt is too long: ' : ''
  return { type, message: `${says}${message} [${code}]` }
}
