/** Errors as clients of the Responses API take them: some codes end their attempts, and all others are repeated. */
import type { ErrorCode, ServiceError } from '../../../errors.ts'
import type { ErrorForm } from '../../error-form.ts'
import { upstreamCauseOf } from '../../../chat/attempts/upstream-cause.ts'

/** Types that Codex understands as final, by our codes. */
const finalTypes: Readonly<Partial<Record<ErrorCode, string>>> = {
  daily_limit_exceeded: 'usage_limit_reached',
  budget_exceeded: 'insufficient_quota',
}

/**
 * Longest waits to send. Clients wait without a message: Codex before each of 30 attempts at a 503, opencode before
 * each of six. Only a provider's own limit justifies a long wait.
 */
const longestWaitSeconds = 2
const longestRateLimitSeconds = 30

export const responsesErrors: ErrorForm = {
  status: statusOf,
  headers: headersOf,
  body: (error, { nowMs }) => bodyOf(error, nowMs),
}

/** @param nowMs  Unix milliseconds */
function bodyOf(error: ServiceError, nowMs: number): object {
  const { code } = error
  const { error: fields } = error.toBody()
  const waitSeconds = Number(error.headers['retry-after'] ?? Number.NaN)
  const resets_at = Math.ceil(nowMs / 1000) + waitSeconds
  return {
    error: {
      ...fields,
      type: finalTypes[code] ?? fields.type,
      ...(code === 'daily_limit_exceeded' && Number.isFinite(resets_at) ? { resets_at } : {}),
    },
  }
}

/** Codex repeats a 402 and, for minutes, a 503; a 400 ends its turn and shows the message. */
function statusOf({ code, status, isLasting }: ServiceError): number {
  if (isLasting) return 400
  return code === 'budget_exceeded' ? 429 : status
}

function headersOf({ headers, code }: ServiceError): Record<string, string> {
  const wait = headers['retry-after']
  if (wait === undefined) return { ...headers }
  const longest = code === 'rate_limit_exceeded' ? longestRateLimitSeconds : longestWaitSeconds
  return { ...headers, 'retry-after': String(Math.min(Number(wait), longest)) }
}

/** Codes for Codex: in a stream, it shows only the message of `invalid_prompt`, and its own words for three others. */
const codes: Readonly<Partial<Record<ErrorCode, string>>> = {
  budget_exceeded: 'insufficient_quota',
  context_length_exceeded: 'context_length_exceeded',
  daily_limit_exceeded: 'insufficient_quota',
  invalid_parameter: 'invalid_prompt',
  missing_required_parameter: 'invalid_prompt',
  no_capable_model: 'invalid_prompt',
  overloaded: 'server_is_overloaded',
  rate_limit_exceeded: 'rate_limit_exceeded',
}

/** The `error` of a response that failed after its stream had begun. */
export function failureOf(error: ServiceError): { code: string; message: string } {
  const { code, message } = error
  return { code: codes[code] ?? codeOfUpstream(error), message: `${message} [${code}]` }
}

/** The vendor's own code, as far as it is one of words. */
function codeOfUpstream(error: ServiceError): string {
  if (error.isLasting) return 'invalid_prompt'
  const cause = upstreamCauseOf(error)
  const named = cause?.vendor?.code ?? ''
  if (/^[a-z_]+$/.test(named)) return named
  return cause?.kind === 'rate_limit' ? 'rate_limit_exceeded' : 'server_error'
}
