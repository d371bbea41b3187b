/** The headers by which a caller says more about one request than its body can. */
import type { IncomingHttpHeaders } from 'node:http'
import { capabilityNames, type Capability } from '../../shared/model-abilities.ts'
import { ServiceError } from '../errors.ts'

export interface RoutingHeaders {
  /** Only models known to have all of these are asked; for a seed, this is what makes it a promise. */
  requires: readonly Capability[]
  /** What the caller calls the conversation; null where it says nothing. */
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

function readConversation(value: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value
  throw new ServiceError(
    'invalid_parameter',
    'The header x-modelport-conversation takes 1 to 255 printable ASCII characters.',
    { param: 'x-modelport-conversation' },
  )
}

function readRequired(value: string): Capability[] {
  return value.split(',').map((part) => {
    const name = capabilityNames.find((known) => known === part.trim())
    if (name) return name
    throw new ServiceError(
      'invalid_parameter',
      `The header x-modelport-require takes a list of ${capabilityNames.join(', ')}.`,
      { param: 'x-modelport-require' },
    )
  })
}
