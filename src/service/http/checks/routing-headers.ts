/** Request headers with options that the body cannot express. */
import type { IncomingHttpHeaders } from 'node:http'
import { hopHeader } from '../../../shared/routers/hop-header.ts'
import { tagSchema } from '../../../shared/routers/tag.ts'
import { capabilityNames, type Capability } from '../../../shared/models/model-abilities.ts'
import { ServiceError } from '../../errors.ts'

export interface RoutingHeaders {
  /** Capabilities that candidates must be known to have. Without `seed` here, it is best effort. */
  requires: readonly Capability[]
  /** The caller's name for the conversation; null when the header is absent. */
  conversation: string | null
  /** The caller's label for grouping usage; null when the header is absent. */
  tag: string | null
  /** How many Modelports the request has passed through; 0 when it comes from a client. */
  hops: number
}

const nothing: RoutingHeaders = { requires: [], conversation: null, tag: null, hops: 0 }

/** Chains of Modelports are useful: one on a laptop, one of the team. A longer chain is a loop. */
const mostHops = 4

/** @throws ServiceError invalid_parameter, naming the header */
export function readRoutingHeaders(headers: IncomingHttpHeaders): RoutingHeaders {
  const required = headers['x-modelport-require']
  const conversation = headers['x-modelport-conversation']
  const tag = headers['x-modelport-tag']
  const hops = headers[hopHeader]
  const isWithout = required === undefined && conversation === undefined && tag === undefined
  if (isWithout && hops === undefined) return nothing
  return {
    requires: required === undefined ? [] : readRequired(String(required)),
    conversation: conversation === undefined ? null : readConversation(String(conversation)),
    tag: tag === undefined ? null : readTag(String(tag)),
    hops: hops === undefined ? 0 : readHops(String(hops)),
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

/** The W3C trace context. An invalid one counts as absent, as its specification says. */
export function readTraceparent({ traceparent }: IncomingHttpHeaders): string | null {
  if (traceparent === undefined) return null
  const text = String(traceparent)
  const isValid = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text)
  return isValid ? text : null
}

function readConversation(value: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(value)) return value
  throw new ServiceError(
    'invalid_parameter',
    'The header x-modelport-conversation must have 1 to 255 printable ASCII characters.',
    { param: 'x-modelport-conversation' },
  )
}

function readTag(value: string): string {
  if (tagSchema.safeParse(value).success) return value
  throw new ServiceError(
    'invalid_parameter',
    'The header x-modelport-tag must have 1 to 64 printable ASCII characters.',
    { param: 'x-modelport-tag' },
  )
}

/** 400 and not 5xx: an upstream's 400 is passed on at once, while a 5xx is retried at each Modelport of the loop. */
function readHops(value: string): number {
  const hops = /^\d{1,3}$/.test(value) ? Number(value) : null
  if (hops !== null && hops <= mostHops) return hops
  const message =
    hops === null
      ? `The header ${hopHeader} must be a whole number.`
      : `This request has passed through ${hops} Modelports. A provider leads back to a Modelport that sent the request. Remove one of these providers.`
  throw new ServiceError('invalid_parameter', message, { param: hopHeader })
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
