/**
 * All checks of a request to a router, in the contract's order (section 3). This is the only list: Fastify runs each
 * stage at its hook, and the fast lane runs all stages in sequence.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import { authorize, type Caller } from './auth.ts'
import { hostOf, isOurHost } from './guard.ts'
import { rulesOf, type RequestForm } from '../answers/request-forms.ts'
import { healthPaths } from '../routes/health.ts'
import { isLoopback, type TrustedProxies } from '../sockets/trusted-proxies.ts'
import { checkBodyOf, refuseCrowdedBody } from './validation.ts'

export interface AdmissionOptions {
  configuration(): ConfigurationIndex
  /** The endpoint's host names, without the port. */
  hosts(): readonly string[]
  /** Exact web origins that may call the endpoint. */
  allowedOrigins(): readonly string[]
  /** Proxies whose `X-Forwarded-…` headers are read. */
  proxies: TrustedProxies
  /** The current setting. */
  bodyLimitBytes(): number
  /** Unix milliseconds. */
  now(): number
  /** Called with each use of a key, and again when the checks run again. */
  onKeyUse(use: KeyUse): void
}

/** A request with a key that may use the router. */
export interface KeyUse {
  apiKeyId: string
  routerId: string
  /** The `user-agent`; null without one. */
  client: string | null
  /** Address of the client, also behind a proxy. */
  address: string
}

/** The connection that brought the request. */
export interface RequestConnection {
  /** The port that received it. */
  localPort: number | undefined
  /** The other end: the client, or a proxy. */
  remoteAddress: string
  isEncrypted: boolean
}

/** A request during the checks. Each field is set before the first stage that reads it. */
export interface CheckedRequest {
  readonly method: string
  /** Target as in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** The number of `Host` headers. */
  readonly hostCount: number
  readonly connection: RequestConnection
  /** The family's form, which decides where the key is and what a body must be. */
  form: RequestForm
  /** Router named in the address; empty until the address is known. */
  routerId: string
  /** Set by the key check. */
  caller: Caller | null
  /** The JSON text as received. */
  bodyText: string
  /** Parsed from `bodyText`. */
  body: unknown
  /** Whether a row of the ledger follows, however the request ends. */
  isAdmitted: boolean
}

/** @throws ServiceError to refuse the request. It may run twice, and must then have no other effect. */
export type Check = (request: CheckedRequest, options: AdmissionOptions) => void

export type Stage = 'arrival' | 'router' | 'bodyText' | 'body'

export const checks: Readonly<Record<Stage, readonly Check[]>> = {
  /** Checks before the address is used. */
  arrival: [checkTransport, checkHost, checkOrigin],
  /** Checks once the address names a router, before the body is read. */
  router: [checkKey, noteKeyUse, checkContentEncoding, checkContentType, checkContentLength],
  /** Checks before the body is parsed. */
  bodyText: [checkValueCount],
  body: [checkBody],
}

/** @throws ServiceError from the first check that refuses */
export function runChecks(stage: Stage, request: CheckedRequest, options: AdmissionOptions): void {
  for (const check of checks[stage]) check(request, options)
}

/** Keys travel encrypted, except inside this computer and behind a named proxy. */
function checkTransport(request: CheckedRequest, { proxies }: AdmissionOptions): void {
  const { target, headers, connection } = request
  const { isEncrypted, remoteAddress } = connection
  const isProxied = proxies.includes(remoteAddress)
  if (isProxied && isForwardedEncrypted(headers)) return
  if (!isProxied && (isEncrypted || isLoopback(remoteAddress))) return
  if (healthPaths.has(target)) return
  throw new ServiceError(
    'https_required',
    'Only HTTPS is served here: use https:// in the base URL.',
    { headers: { upgrade: 'TLS/1.2', connection: 'close' } },
  )
}

/** Whether the proxy says that it received the request with TLS. The last proxy wrote the last value. */
function isForwardedEncrypted(headers: IncomingHttpHeaders): boolean {
  const forwarded = String(headers['x-forwarded-proto'])
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https'
}

function checkHost(request: CheckedRequest, { hosts, proxies }: AdmissionOptions): void {
  const { target, headers, hostCount, connection } = request
  const isProxied = proxies.includes(connection.remoteAddress)
  // Clients see the proxy's port, not ours.
  const port = isProxied ? null : connection.localPort
  // An absolute target (`GET https://…`) contains another host, which no other check would see.
  const isOurs = target.startsWith('/') && isOurHost(hostOf(headers, isProxied), port, hosts())
  if (hostCount === 1 && isOurs) return
  throw new ServiceError(
    'host_not_allowed',
    'This address serves localhost only. Allow another host name in the settings.',
  )
}

function checkOrigin({ headers }: CheckedRequest, options: AdmissionOptions): void {
  const { origin } = headers
  if (origin === undefined || options.allowedOrigins().includes(origin)) return
  throw new ServiceError(
    'origin_not_allowed',
    'Web pages of this origin may not call Modelport. Allow the origin in the settings.',
  )
}

function checkKey(request: CheckedRequest, { configuration, now }: AdmissionOptions): void {
  request.caller = authorize(credentialsOf(request), request.routerId, {
    configuration: configuration(),
    nowMs: now(),
  })
}

/** Notes the use of a key before the other checks: a request that they refuse is a use, too. */
function noteKeyUse({ caller, headers, connection }: CheckedRequest, options: AdmissionOptions) {
  if (caller === null) return
  options.onKeyUse({
    apiKeyId: caller.apiKey.id,
    routerId: caller.router.id,
    client: clientOf(headers),
    address: options.proxies.clientAddress(connection.remoteAddress, headers),
  })
}

/** The caller's `user-agent`, shortened because it can have any length. */
export function clientOf(headers: IncomingHttpHeaders): string | null {
  return headers['user-agent']?.slice(0, 200) ?? null
}

/** The request's key as a bearer. @throws ServiceError for two that differ */
export function credentialsOf({
  form,
  headers,
}: Pick<CheckedRequest, 'form' | 'headers'>): string | undefined {
  const { authorization } = headers
  const { keyHeader: header } = rulesOf(form)
  const key = header === undefined ? undefined : headers[header]
  if (header === undefined || typeof key !== 'string') return authorization
  if (authorization === undefined || /^Bearer +(\S+)$/i.exec(authorization)?.[1] === key) {
    return `Bearer ${key}`
  }
  throw new ServiceError(
    'invalid_parameter',
    `The headers "${header}" and "authorization" have different keys. Send one of them.`,
    { param: header },
  )
}

function checkContentEncoding({ headers }: CheckedRequest): void {
  if ((headers['content-encoding'] ?? 'identity') === 'identity') return
  throw new ServiceError('unsupported_media_type', 'Send the body without content-encoding.')
}

function checkContentType({ method, headers }: CheckedRequest): void {
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (method !== 'POST' || !hasBody) return
  if (/^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return
  throw new ServiceError(
    'unsupported_media_type',
    'Send the body as "content-type: application/json".',
    { headers: { connection: 'close' } },
  )
}

function checkContentLength(
  { headers }: CheckedRequest,
  { bodyLimitBytes }: AdmissionOptions,
): void {
  if (Number(headers['content-length']) > bodyLimitBytes()) throw bodyTooLarge()
}

/** Closes the connection, because the rest of the body is not read. */
export function bodyTooLarge(): ServiceError {
  return new ServiceError(
    'body_too_large',
    'The body is larger than the limit. Raise "bodyLimitMib" in the settings.',
    { headers: { connection: 'close' } },
  )
}

function checkValueCount({ form, bodyText }: CheckedRequest): void {
  refuseCrowdedBody(bodyText, form)
}

function checkBody({ form, body }: CheckedRequest): void {
  checkBodyOf(form, body)
}
