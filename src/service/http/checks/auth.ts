/** Authenticates the key and authorizes the router: 401 before 404 before 403, so that routers cannot be probed. */
import type { Router } from '../../../shared/entities.ts'
import { endOfKey } from '../../../shared/app/key-rotation.ts'
import { ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import type { StoredApiKey } from '../../storage/storage.ts'
import { isWellFormedApiKey, sha256OfKey } from '../../api-key-format.ts'

export interface Caller {
  apiKey: StoredApiKey
  router: Router
}

interface AuthorizedNow {
  configuration: ConfigurationIndex
  nowMs: number
}

/** @throws ServiceError invalid_api_key, router_not_found, router_access_denied */
export function authorize(
  authorization: string | undefined,
  routerId: string,
  now: AuthorizedNow,
): Caller {
  const apiKey = authenticate(authorization, now)
  const router = now.configuration.routers.get(routerId)
  if (!router) {
    throw new ServiceError('router_not_found', 'There is no router with this id.')
  }
  if (apiKey.routers !== 'all' && !apiKey.routers.includes(router.id)) {
    throw new ServiceError('router_access_denied', 'This API key has no access to this router.')
  }
  return { apiKey, router }
}

/** The request's key, without a check of its rights. @throws ServiceError invalid_api_key */
export function authenticate(
  authorization: string | undefined,
  { configuration, nowMs }: AuthorizedNow,
): StoredApiKey {
  const apiKey = findKey(authorization, configuration)
  if (!apiKey || endOfKey(apiKey, nowMs) !== null) {
    // The same text for missing, malformed, unknown, revoked and expired keys, so that callers cannot tell them apart.
    throw new ServiceError('invalid_api_key', 'The API key is missing or invalid.', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  return apiKey
}

export type KeyFault = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired'

/** Why a key was refused, for the user only: the caller does not learn it. */
export function keyFault(
  authorization: string | undefined,
  configuration: ConfigurationIndex,
): KeyFault {
  const key = bearerToken(authorization ?? '')
  if (key === undefined || key === '') return 'missing'
  if (!isWellFormedApiKey(key)) return 'malformed'
  const stored = configuration.apiKeysBySha256.get(sha256OfKey(key))
  if (!stored) return 'unknown'
  return endOfKey(stored, Infinity) ?? 'revoked'
}

/** The key that a request has, also a revoked or expired one; null for a missing, malformed or unknown key. */
export function findKey(
  authorization: string | undefined,
  { apiKeysBySha256 }: ConfigurationIndex,
): StoredApiKey | null {
  const key = bearerToken(authorization ?? '')
  if (key === undefined || !isWellFormedApiKey(key)) return null
  return apiKeysBySha256.get(sha256OfKey(key)) ?? null
}

/** Fast path for the usual spelling; other spellings of the scheme are valid too. */
function bearerToken(authorization: string): string | undefined {
  if (authorization.startsWith('Bearer mp_')) return authorization.slice('Bearer '.length)
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}
