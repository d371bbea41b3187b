/** Errors in Anthropic's form, whose SDKs choose their error classes by status and `type`. */
import type { ErrorCode, ServiceError } from '../../../errors.ts'
import type { ProviderErrorKind } from '../../../providers/provider.ts'
import { upstreamCauseOf } from '../../../chat/attempts/upstream-cause.ts'
import type { ErrorForm } from '../../error-form.ts'
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

const typesByKind: Readonly<Partial<Record<ProviderErrorKind, string>>> = {
  rate_limit: 'rate_limit_error',
  timeout: 'timeout_error',
}

const familyTypes: ReadonlySet<string> = new Set([
  'api_error',
  'overloaded_error',
  'rate_limit_error',
  'timeout_error',
])

/** A repetition may succeed, although the error names no waiting time. */
const passing: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'overloaded'])

export const anthropicErrors: ErrorForm = {
  status: ({ status }) => status,
  headers: headersOf,
  body: (error, { requestId }) => ({
    type: 'error',
    error: errorOf(error),
    request_id: error.headers['request-id'] ?? requestId,
  }),
}

/** Claude Code repeats a request up to eleven times unless it is told that this is useless. */
function headersOf(error: ServiceError, requestId: string): Record<string, string> {
  const { code, headers } = error
  const isFinal = headers['retry-after'] === undefined && !passing.has(code)
  return {
    'request-id': requestId,
    'x-modelport-error-code': code,
    ...(isFinal ? { 'x-should-retry': 'false' } : {}),
    ...headers,
  }
}

/** Writes an error after the stream has begun. */
export function errorEvent(error: ServiceError): string {
  return eventOf('error', { error: errorOf(error) })
}

function errorOf(error: ServiceError): { type: string; message: string } {
  const { code, message } = error
  // Claude Code shortens the conversation when it reads these words.
  const isToldTooLong = code !== 'context_length_exceeded' || /^prompt is too long/i.test(message)
  const words = isToldTooLong ? message : `prompt is too long: ${message}`
  return { type: typeOf(error), message: `${words} [${code}]` }
}

/** The vendor's own type of an upstream failure, as far as the family has it: clients wait or repeat by it. */
function typeOf(error: ServiceError): string {
  const { code, status } = error
  const cause = upstreamCauseOf(error)
  const usual =
    typesByCode[code] ??
    typesByStatus[status] ??
    (status < 500 ? 'invalid_request_error' : 'api_error')
  if (cause === null || cause.kind === 'request') return usual
  const own = cause.vendor?.type ?? ''
  return familyTypes.has(own) ? own : (typesByKind[cause.kind] ?? usual)
}
