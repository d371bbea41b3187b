/** Refused requests and connections: what is counted, and what the user should see, without anything secret. */
import type { ConnectionProblemKind } from '../../../shared/app/connect.ts'
import type { RefusedRequest } from '../../../shared/requests/refusal.ts'
import type { ErrorCode, ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import type { StoredApiKey } from '../../storage/storage.ts'
import { credentialsOf, type CheckedRequest } from '../checks/admission.ts'
import { findKey, keyFault } from '../checks/auth.ts'
import { bringsKey } from '../checks/cors.ts'
import { doorOf } from '../answers/request-form.ts'
import { healthPaths } from '../routes/health.ts'

export interface RefusalListener {
  configuration(): ConfigurationIndex
  /** Unix milliseconds. */
  now(): number
  /** Called with every request that is answered with an error and has no row in the ledger. */
  onRefused(request: RefusedRequest): void
  /** Called with refusals that the user should see. */
  onRefusal(refusal: Refusal): void
}

/** Notes every error of the HTTP endpoint. @param id  of the request */
export function noteRefusal(
  error: Pick<ServiceError, 'code'>,
  { request, id }: { request: CheckedRequest; id: string },
  listener: RefusalListener,
): void {
  const { target } = request
  // Probes of load balancers, which call them every few seconds.
  if (request.isAdmitted || healthPaths.has(target)) return
  const { configuration, now, onRefused, onRefusal } = listener
  const refusal = refusalOf(error, request, configuration)
  if (refusal !== null) onRefusal(refusal)
  const { door, routerId } = doorOf(target)
  onRefused({
    id,
    atMs: now(),
    apiKeyId: keyOf(request, configuration())?.id ?? null,
    routerId: configuration().routers.has(routerId) ? routerId : null,
    code: error.code,
    door,
  })
}

/** A connection whose request could not be read. */
export function noteUnread(
  code: ErrorCode,
  id: string,
  { now, onRefused }: Pick<RefusalListener, 'now' | 'onRefused'>,
): void {
  onRefused({ id, atMs: now(), apiKeyId: null, routerId: null, code, door: 'connection' })
}

/** The key that a request has, also a revoked or expired one. */
function keyOf(request: CheckedRequest, configuration: ConfigurationIndex): StoredApiKey | null {
  if (request.caller !== null) return request.caller.apiKey
  try {
    return findKey(credentialsOf(request), configuration)
  } catch {
    // Two different keys.
    return null
  }
}

export interface Refusal {
  kind: ConnectionProblemKind
  /** `user-agent`; null before a request. */
  client: string | null
  /** The refused origin, host or address, the TLS error, the name of the key, or why the key is wrong. */
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

/** @returns null for refusals that are no trouble of a connection, and for requests without a key that only probe */
function refusalOf(
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
    case 'router_refused':
      return keyOf(request, configuration())?.name.slice(0, 200) ?? null
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
