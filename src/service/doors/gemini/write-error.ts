/** Errors in Gemini's form, `google.rpc.Status` (google.aip.dev/193). */
import type { ErrorCode, ServiceError } from '../../errors.ts'

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

export function geminiErrorBody(error: ServiceError): object {
  const { code, status, message } = error
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

export function geminiErrorHeaders({ code, headers }: ServiceError): Record<string, string> {
  return { 'x-modelport-error-code': code, ...headers }
}

function detailsOf({ code, param, headers, message }: ServiceError): object[] {
  const details: object[] = [
    {
      '@type': typeOf('ErrorInfo'),
      reason: code.toUpperCase(),
      domain: 'modelport',
      ...(param === null ? {} : { metadata: { param } }),
    },
  ]
  const wait = headers['retry-after']
  if (wait !== undefined) details.push({ '@type': typeOf('RetryInfo'), retryDelay: `${wait}s` })
  if (daily.has(code)) {
    const violation = { quotaId: 'RequestsPerDayPerRouter', description: message }
    details.push({ '@type': typeOf('QuotaFailure'), violations: [violation] })
  }
  return details
}

function typeOf(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`
}
