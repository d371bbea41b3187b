/** Every error a caller can meet, once: code, HTTP status and type (contract section 5). */

const table = {
  invalid_json: [400, 'invalid_request_error'],
  missing_required_parameter: [400, 'invalid_request_error'],
  invalid_parameter: [400, 'invalid_request_error'],
  no_capable_model: [400, 'invalid_request_error'],
  context_length_exceeded: [400, 'invalid_request_error'],
  invalid_api_key: [401, 'authentication_error'],
  budget_exceeded: [402, 'budget_error'],
  router_access_denied: [403, 'authorization_error'],
  origin_not_allowed: [403, 'authorization_error'],
  router_not_found: [404, 'not_found_error'],
  model_not_found: [404, 'not_found_error'],
  agent_not_found: [404, 'not_found_error'],
  request_not_found: [404, 'not_found_error'],
  endpoint_not_found: [404, 'not_found_error'],
  method_not_allowed: [405, 'invalid_request_error'],
  request_timeout: [408, 'invalid_request_error'],
  idempotency_in_progress: [409, 'invalid_request_error'],
  body_too_large: [413, 'invalid_request_error'],
  unsupported_media_type: [415, 'invalid_request_error'],
  host_not_allowed: [421, 'invalid_request_error'],
  idempotency_key_reused: [422, 'invalid_request_error'],
  https_required: [426, 'invalid_request_error'],
  websocket_unsupported: [426, 'invalid_request_error'],
  daily_limit_exceeded: [429, 'rate_limit_error'],
  rate_limit_exceeded: [429, 'rate_limit_error'],
  headers_too_large: [431, 'invalid_request_error'],
  internal_error: [500, 'api_error'],
  all_models_unavailable: [503, 'service_unavailable_error'],
  overloaded: [503, 'service_unavailable_error'],
  storage_unavailable: [503, 'service_unavailable_error'],
} as const satisfies Record<string, readonly [status: number, type: string]>

export type ErrorCode = keyof typeof table
export const errorCodes = Object.keys(table) as ErrorCode[]

export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string }
}

/** The HTTP status of an error; null for a code of another version. */
export function statusOf(code: string): number | null {
  // Checked boundary: a missing code has no entry.
  return (table as Record<string, readonly [number, string]>)[code]?.[0] ?? null
}

/** An expected failure, worded for the caller: no prompt, key, path or stack is ever in `message`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly param: string | null
  /** Extra response headers, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** Every other try fails until the user changes something. */
  readonly isLasting: boolean

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      param?: string | null
      headers?: Record<string, string>
      /** Status of an upstream's refusal that is passed on; the code's own if absent. */
      status?: number
      isLasting?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.headers = options.headers ?? {}
    this.status = options.status ?? table[code][0]
    this.isLasting = options.isLasting ?? false
  }

  /** The body every error is answered with. */
  toBody(): ErrorBody {
    const { message, param, code } = this
    return { error: { message, type: table[code][1], param, code } }
  }
}
