/** The caller an authorized request carries from the key check to its handler. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from './auth.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** @throws Error when called outside the routes that check the key, which is a bug */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('this route does not check the key')
  return request.caller
}
