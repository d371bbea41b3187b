/** A request as the checks see it. Fastify's request carries it from hook to handler. */
import type { FastifyRequest } from 'fastify'
import type { CheckedRequest } from './admission.ts'
import type { Caller } from './auth.ts'
import { formOf } from './request-form.ts'

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

function toChecked({ raw, headers }: FastifyRequest): CheckedRequest {
  return {
    method: raw.method ?? '',
    target: raw.url ?? '',
    headers,
    hostCount: countHosts(raw.rawHeaders),
    localPort: raw.socket.localPort,
    routerId: '',
    caller: null,
    form: formOf(raw.url ?? '', headers),
    bodyText: '',
    body: null,
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
