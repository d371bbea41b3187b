/** Modelport's errors, told apart by `code`. */
import type { APIError } from 'openai'

/** Every code, in the order of their HTTP statuses. docs/api.md of Modelport says when each occurs. */
export const errorCodes = [
  'invalid_json',
  'missing_required_parameter',
  'invalid_parameter',
  'no_capable_model',
  'context_length_exceeded',
  'invalid_api_key',
  'budget_exceeded',
  'router_access_denied',
  'origin_not_allowed',
  'router_not_found',
  'model_not_found',
  'agent_not_found',
  'request_not_found',
  'endpoint_not_found',
  'method_not_allowed',
  'request_timeout',
  'idempotency_in_progress',
  'body_too_large',
  'unsupported_media_type',
  'host_not_allowed',
  'idempotency_key_reused',
  'https_required',
  'websocket_unsupported',
  'daily_limit_exceeded',
  'rate_limit_exceeded',
  'headers_too_large',
  'internal_error',
  'all_models_unavailable',
  'overloaded',
  'storage_unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/**
 * An error that Modelport answered with: OpenAI's own error class for the status, such as `RateLimitError`.
 * `status` is undefined for an error inside a stream, `requestID` identifies the request in Modelport's list.
 */
export type ModelportError<Code extends ErrorCode = ErrorCode> = APIError & {
  readonly code: Code
  readonly type: string
  /** The field that is wrong, or the step of an agent that failed. */
  readonly param: string | null
}

/**
 * Whether Modelport answered with one of `codes`, or with any of its errors when none is given. Connection errors and
 * aborts are not among them: use OpenAI's `APIConnectionError` and `APIUserAbortError`.
 */
export function isModelportError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ModelportError<Code> {
  // Not by class: a program may have several copies of OpenAI's SDK.
  if (!(error instanceof Error) || !('code' in error) || !('headers' in error)) return false
  const expected: readonly unknown[] = codes.length > 0 ? codes : errorCodes
  return expected.includes(error.code)
}
