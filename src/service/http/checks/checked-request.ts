/** A request as the checks see it. Fastify's request carries it from hook to handler. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import type { CheckedRequest, RequestConnection } from './admission.ts'
import type { Caller } from './auth.ts'
import { formOf } from '../answers/request-form.ts'

declare module 'fastify' {
  interface FastifyRequest {
    checked: CheckedRequest | null
  }
}

export function checkedOf(request: FastifyRequest): CheckedRequest {
  return (request.checked ??= toChecked(request))
}

/** @throws Error when called outside the routes that check the key, which is a bug */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = checkedOf(request)
  if (!caller) throw new Error('this route does not check the key')
  return caller
}

/** A row of the ledger follows, however the request ends: an error is no refusal any more. */
export function noteAdmitted(request: FastifyRequest): void {
  checkedOf(request).isAdmitted = true
}

export function connectionOf(socket: Socket): RequestConnection {
  const { localPort, remoteAddress = '' } = socket
  return { localPort, remoteAddress, isEncrypted: socket instanceof TLSSocket }
}

function toChecked({ raw, headers }: FastifyRequest): CheckedRequest {
  return {
    method: raw.method ?? '',
    target: raw.url ?? '',
    headers,
    hostCount: countHosts(raw.rawHeaders),
    connection: connectionOf(raw.socket),
    routerId: '',
    caller: null,
    form: formOf(raw.url ?? '', headers),
    bodyText: '',
    body: null,
    isAdmitted: false,
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
