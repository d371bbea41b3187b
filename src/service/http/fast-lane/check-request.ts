/** Runs all stages of admission.ts for a request that the fast lane has read. */
import { parse as parseSafely } from 'secure-json-parse'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import {
  runChecks,
  type AdmissionOptions,
  type CheckedRequest,
  type RequestConnection,
} from '../checks/admission.ts'
import type { AcceptedRequest } from './answer.ts'
import type { UsualRequest } from './read-request.ts'
import { withExactNumbers } from '../../exact-json.ts'

/** @returns null when a check refuses; Fastify then sends the refusal */
export function checkRequest(
  { target, routerId, headers, body: bodyText }: UsualRequest,
  connection: RequestConnection,
  options: AdmissionOptions,
): AcceptedRequest | null {
  const request: CheckedRequest = {
    method: 'POST',
    target,
    headers,
    // The reader rejects repeated headers.
    hostCount: 'host' in headers ? 1 : 0,
    connection,
    routerId,
    form: 'chat',
    caller: null,
    bodyText,
    body: null,
    isAdmitted: false,
  }
  try {
    runChecks('arrival', request, options)
    runChecks('router', request, options)
    runChecks('bodyText', request, options)
    request.body = parseSafely(bodyText)
    runChecks('body', request, options)
  } catch {
    return null
  }
  const { caller, body } = request
  if (caller === null) return null
  // The body's stage refuses every other type.
  return { caller, headers, body: withExactNumbers(body, bodyText) as ChatRequest }
}
