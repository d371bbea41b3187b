/** Request headers with routing options that the body cannot express. */
import type { IncomingHttpHeaders } from 'node:http'
import { capabilityNames, type Capability } from '../../shared/model-abilities.ts'
import { ServiceError } from '../errors.ts'

export interface RoutingHeaders {
  /** Only models known to have all of these are candidates. Without it, `seed` is best effort. */
  requires: readonly Capability[]
  /** The caller's name for the conversation; null when the header is absent. */
  conversation: string | null
}

const nothing: RoutingHeaders = { requires: [], conversation: null }

/** @throws ServiceError invalid_parameter, naming the header */
export function readRoutingHeaders(headers: IncomingHttpHeaders): RoutingHeaders {
  const required = headers['x-modelport-require']
  const conversation = headers['x-modelport-conversation']
  if (required === undefined && conversation === undefined) return nothing
  return {
    requires: required === undefined ? [] : readRequired(String(required)),
    conversation: conversation === undefined ? null : readConversation(String(conversation)),
  }
}

/**
 * Whether the caller wants the decision without an answer.
 * @throws ServiceError invalid_parameter for another value than `true` or `false`: the request would be sent and paid for
 */
export function readPreviewHeader(headers: IncomingHttpHeaders): boolean {
  const value = headers['x-modelport-preview']
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new ServiceError(
    'invalid_parameter',
    'The header x-modelport-preview must be "true" or "false".',
    { param: 'x-modelport-preview' },
  )
}

function readConversation(value: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value
  throw new ServiceError(
    'invalid_parameter',
    'The header x-modelport-conversation must have 1 to 255 printable ASCII characters.',
    { param: 'x-modelport-conversation' },
  )
}

function readRequired(value: string): Capability[] {
  return value.split(',').map((part) => {
    const name = capabilityNames.find((known) => known === part.trim())
    if (name) return name
    throw new ServiceError(
      'invalid_parameter',
      `The header x-modelport-require must be a list of ${capabilityNames.join(', ')}.`,
      { param: 'x-modelport-require' },
    )
  })
}
