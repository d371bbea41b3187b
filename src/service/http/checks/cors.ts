/**
 * The headers that let a browser page of an allowed origin call the endpoint. Other origins never get them,
 * because admission refuses them first.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Response headers that a page may read; docs/api.md explains each. */
export const exposedHeaders = [
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'retry-after',
  'x-should-retry',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'ratelimit',
  'ratelimit-policy',
  'x-modelport-adjusted',
  'x-modelport-cache',
  'x-modelport-error-code',
  'x-modelport-estimated',
  'x-modelport-fallback',
  'x-modelport-safety-model',
  'idempotent-replayed',
  'www-authenticate',
  'allow',
].join(', ')

/** A family of a vendor's headers, which no list can name: a page may read those that an answer has. */
const vendorsFamily = 'anthropic-ratelimit-'

/** The headers of an answer, with leave for a page to read those of a vendor. @param origin  of an admitted request */
export function readableHeaders(
  headers: Readonly<Record<string, string>>,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (origin === undefined) return headers
  const vendors = Object.keys(headers).filter((name) => name.startsWith(vendorsFamily))
  if (vendors.length === 0) return headers
  return { ...headers, 'access-control-expose-headers': [exposedHeaders, ...vendors].join(', ') }
}

/** Headers allowed to the rare preflight that does not name the headers it will send. */
const usualHeaders = 'authorization, content-type, idempotency-key'
const maxAskedCharacters = 2_048
/** RFC 9110 field names, separated by commas. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/

/** @param origin  an origin that the user allowed */
export function corsHeaders(
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  origin: string,
): Record<string, string> {
  const always = { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method !== 'OPTIONS') {
    return { ...always, 'access-control-expose-headers': exposedHeaders }
  }
  return {
    ...always,
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': askedHeaders(headers),
    'access-control-max-age': '600',
    // Chrome's check before a public page may reach this computer.
    ...(headers['access-control-request-private-network'] === 'true'
      ? { 'access-control-allow-private-network': 'true' }
      : {}),
  }
}

/**
 * Allows every header that the page asks for. OpenAI's SDK alone sends nine `x-stainless-*` headers and adds more,
 * and no header grants a right that the key does not have.
 */
function askedHeaders(headers: IncomingHttpHeaders): string {
  const asked = headers['access-control-request-headers']
  const isFit = asked !== undefined && asked.length <= maxAskedCharacters && headerNames.test(asked)
  return isFit ? asked : usualHeaders
}

/**
 * Whether a page sent a key, or asks in a preflight whether it may. The user is not told about pages that only probe
 * for open ports.
 */
export function bringsKey({ headers }: { headers: IncomingHttpHeaders }): boolean {
  if (headers.authorization || headers['x-api-key']) return true
  return /\b(authorization|x-api-key)\b/i.test(headers['access-control-request-headers'] ?? '')
}
