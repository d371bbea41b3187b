import { ServiceError } from '../../errors.ts'
import { ProviderError } from '../../providers/provider.ts'

/** The one failure of an upstream that ended the request; null for any other error. */
export function upstreamCauseOf({ cause }: ServiceError): ProviderError | null {
  if (cause instanceof ServiceError) return upstreamCauseOf(cause)
  return cause instanceof ProviderError ? cause : null
}
