/**
 * What is checked before anything else is looked at: that the request was meant for this address
 * (`Host`, against DNS rebinding) and does not come from a web page the user did not allow (`Origin`).
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { bringsKey, corsHeaders } from './cors.ts'

export interface GuardOptions {
  /** Names the endpoint answers to, without the port. */
  hosts(): readonly string[]
  /** Exact origins that may call it. */
  allowedOrigins(): readonly string[]
  /** Told of a refused origin whose page came with a key. */
  onRefusedOrigin(origin: string): void
}

/** @throws ServiceError host_not_allowed (421), origin_not_allowed (403) */
export function checkHostAndOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  options: GuardOptions,
): void {
  if (countHosts(request.raw.rawHeaders) !== 1 || !isOurs(request.raw, options.hosts())) {
    throw new ServiceError(
      'host_not_allowed',
      'This address serves localhost only. A further name can be allowed in the settings.',
    )
  }
  const { origin } = request.headers
  if (origin === undefined) return
  if (!options.allowedOrigins().includes(origin)) {
    if (bringsKey(request)) options.onRefusedOrigin(origin)
    throw new ServiceError(
      'origin_not_allowed',
      'Web pages of this origin may not call Modelport. The origin can be allowed in the settings.',
    )
  }
  reply.headers(corsHeaders(request, origin))
}

function isOurs({ url, headers, socket }: IncomingMessage, names: readonly string[]): boolean {
  // An absolute-form target names a host of its own, which nothing here looks at.
  return url?.startsWith('/') === true && isOurHost(headers.host, socket.localPort, names)
}

/** @param names  the endpoint answers to; the default ports may be left out */
export function isOurHost(
  host: string | undefined,
  port: number | undefined,
  names: readonly string[],
): boolean {
  const asked = host?.toLowerCase()
  return names.some((name) => {
    const known = name.toLowerCase()
    return asked === `${known}:${port}` || (asked === known && isDefault(port))
  })
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

function isDefault(port: number | undefined): boolean {
  return port === 443 || port === 80
}
