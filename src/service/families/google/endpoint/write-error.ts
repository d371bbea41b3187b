/** Errors in Gemini's form, `google.rpc.Status` (google.aip.dev/193). */
import { upstreamCauseOf } from '../../../chat/attempts/upstream-cause.ts'
import type { ErrorCode, ServiceError } from '../../../errors.ts'
import type { ErrorForm } from '../../error-form.ts'

const statuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

/** Limits that another try does not help with today. Gemini CLI repeats every other 429, and stops at these. */
const daily: ReadonlySet<ErrorCode> = new Set(['daily_limit_exceeded'])

export const geminiErrors: ErrorForm = {
  status: statusOf,
  headers: ({ code, headers }) => ({ 'x-modelport-error-code': code, ...headers }),
  body: (error) => bodyOf(error, statusOf(error)),
}

/** Gemini CLI repeats a 503 for minutes; a 400 ends its turn and shows the message. */
function statusOf({ status, isLasting }: ServiceError): number {
  return isLasting ? 400 : status
}

/** The error after a stream has begun. A limit of the upstream stays a limit, because clients wait by it. */
export function geminiFailure(error: ServiceError): object {
  const isLimit = upstreamCauseOf(error)?.kind === 'rate_limit'
  return bodyOf(error, isLimit ? 429 : statusOf(error))
}

function bodyOf(error: ServiceError, status: number): object {
  const { code, message } = error
  const family = status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'
  return {
    error: {
      code: status,
      message: `${message} [${code}]`,
      status: statuses[status] ?? family,
      details: detailsOf(error),
    },
  }
}

function detailsOf({ code, param, headers, message, isLasting }: ServiceError): object[] {
  const details: object[] = [
    {
      '@type': typeOf('ErrorInfo'),
      reason: code.toUpperCase(),
      domain: 'modelport',
      ...(param === null ? {} : { metadata: { param } }),
    },
  ]
  const wait = headers['retry-after']
  if (wait !== undefined && !isLasting)
    details.push({ '@type': typeOf('RetryInfo'), retryDelay: `${wait}s` })
  if (daily.has(code)) {
    const violation = { quotaId: 'RequestsPerDayPerRouter', description: message }
    details.push({ '@type': typeOf('QuotaFailure'), violations: [violation] })
  }
  return details
}

function typeOf(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`
}
