/** The headers by which a caller says more about one request than its body can. */
import type { IncomingHttpHeaders } from 'node:http'
import { capabilityNames, type Capability } from '../../shared/model-abilities.ts'
import { ServiceError } from '../errors.ts'

export interface RoutingHeaders {
  /** Only models known to have all of these are asked; for a seed, this is what makes it a promise. */
  requires: readonly Capability[]
}

const nothing: RoutingHeaders = { requires: [] }

/** @throws ServiceError invalid_parameter, naming the header */
export function readRoutingHeaders(headers: IncomingHttpHeaders): RoutingHeaders {
  const require = headers['x-modelport-require']
  if (require === undefined) return nothing
  return { requires: readRequired(String(require)) }
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
