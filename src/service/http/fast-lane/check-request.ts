/** Every check of the general way, in one go: whether a usual request is in order in all respects. */
import { parse as parseSafely } from 'secure-json-parse'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import { authorize } from '../auth.ts'
import { isOurHost } from '../guard.ts'
import { isChatRequest, refuseUnfitBody } from '../validation.ts'
import type { CheckedRequest } from './answer.ts'
import type { UsualRequest } from './read-request.ts'

export interface CheckOptions {
  configuration(): ConfigurationIndex
  /** Names the endpoint answers to, without the port. */
  hosts(): readonly string[]
  now(): number
}

/** Null where anything is wrong: what it is is for the general way to say. @param port  it came to */
export function checkRequest(
  { routerId, headers, body: text }: UsualRequest,
  port: number | undefined,
  options: CheckOptions,
): CheckedRequest | null {
  if (!isOurHost(headers['host'], port, options.hosts())) return null
  try {
    const caller = authorize(headers['authorization'], routerId, {
      configuration: options.configuration(),
      nowMs: options.now(),
    })
    const body: unknown = parseSafely(text)
    if (!isChatRequest(body)) return null
    refuseUnfitBody(body)
    return { caller, headers, body }
  } catch {
    return null
  }
}
