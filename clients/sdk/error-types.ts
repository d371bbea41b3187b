/** Error types of the vendors' SDKs, which other libraries pass on. */
import type { ErrorTypes } from '../check.ts'

export const openAiErrors: ErrorTypes = {
  401: 'AuthenticationError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  503: 'InternalServerError',
}

export const anthropicErrors: ErrorTypes = { ...openAiErrors, 503: 'ServiceUnavailableError' }
