/** Refused requests and connections that the user should see, without anything secret. */
import type { ConnectionProblemKind } from '../../shared/connect.ts'
import type { ErrorCode, ServiceError } from '../errors.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import { credentialsOf, type CheckedRequest } from './admission.ts'
import { keyFault } from './auth.ts'
import { bringsKey } from './cors.ts'

export interface Refusal {
  kind: ConnectionProblemKind
  /** `user-agent`; null before a request. */
  client: string | null
  /** The refused origin, host or address, the TLS error, or why the key is wrong. */
  detail: string | null
}

const kinds: Partial<Record<ErrorCode, ConnectionProblemKind>> = {
  invalid_api_key: 'wrong_key',
  origin_not_allowed: 'origin_refused',
  host_not_allowed: 'host_refused',
  router_not_found: 'router_refused',
  router_access_denied: 'router_refused',
  endpoint_not_found: 'wrong_address',
}

/** Null for refusals that are no trouble of a connection, and for requests without a key that only probe. */
export function refusalOf(
  { code }: Pick<ServiceError, 'code'>,
  request: CheckedRequest,
  configuration: () => ConfigurationIndex,
): Refusal | null {
  const kind = kinds[code]
  if (kind === undefined) return null
  if (kind !== 'wrong_key' && !bringsKey(request)) return null
  const client = request.headers['user-agent']?.slice(0, 200) ?? null
  return { kind, client, detail: detailOf(kind, request, configuration) }
}

function detailOf(
  kind: ConnectionProblemKind,
  request: CheckedRequest,
  configuration: () => ConfigurationIndex,
): string | null {
  const { method, target, headers } = request
  switch (kind) {
    case 'wrong_key':
      return keyFault(credentialsOf(request), configuration())
    case 'origin_refused':
      return headers.origin?.slice(0, 300) ?? null
    case 'host_refused':
      return plain(headers.host)
    case 'wrong_address':
      return plain(`${method} ${target.split('?')[0]}`)
    default:
      return null
  }
}

/** Addresses and hosts as people write them; anything else is not shown. */
function plain(text: string | undefined): string | null {
  return text !== undefined && /^[\w ./:[\]-]{1,200}$/.test(text) ? text : null
}

/**
 * What a failed TLS handshake shows: a client that does not trust the certificate sends an alert, or resets the
 * connection (Claude Code). Null for handshakes that failed for another reason.
 */
export function handshakeRefusal(error: unknown): Refusal | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const alert = /ALERT_(BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA)$/.exec(code)?.[1]
  if (alert === undefined && code !== 'ECONNRESET') return null
  const detail = alert === undefined ? 'connection reset' : alert.toLowerCase().replaceAll('_', ' ')
  return { kind: 'certificate_refused', client: null, detail }
}
