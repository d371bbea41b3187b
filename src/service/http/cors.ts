/**
 * What a browser is told so that a page of an allowed origin can call. Only such pages get these
 * headers: the guard has refused all others before.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Answers' headers that a page may read: docs/api.md lists what each means. */
export const exposedHeaders = [
  'x-request-id',
  'retry-after',
  'x-should-retry',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'ratelimit',
  'ratelimit-policy',
  'x-modelport-adjusted',
  'x-modelport-cache',
  'idempotent-replayed',
  'www-authenticate',
  'allow',
].join(', ')

/** For the rare client that asks by preflight without saying which headers it will send. */
const usualHeaders = 'authorization, content-type, idempotency-key'
const maxAskedCharacters = 2_048
/** Names as RFC 9110 has them, with commas between. */
const headerNames = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/

/** @param origin  of a page that the user allowed */
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
    // Chrome asks this before a page of the internet may reach this computer.
    ...(headers['access-control-request-private-network'] === 'true'
      ? { 'access-control-allow-private-network': 'true' }
      : {}),
  }
}

/**
 * Whatever the page's tool sends may come: OpenAI's SDK alone has nine `x-stainless-*` headers and adds
 * to them, and no header gives a right that the key does not give.
 */
function askedHeaders(headers: IncomingHttpHeaders): string {
  const asked = headers['access-control-request-headers']
  const isFit = asked !== undefined && asked.length <= maxAskedCharacters && headerNames.test(asked)
  return isFit ? asked : usualHeaders
}

/**
 * Whether a page came with a key, or asks whether it may: one that merely probes for open ports is
 * nothing to bother the user with.
 */
export function bringsKey({ headers }: { headers: IncomingHttpHeaders }): boolean {
  if (headers.authorization) return true
  return /\bauthorization\b/i.test(headers['access-control-request-headers'] ?? '')
}
