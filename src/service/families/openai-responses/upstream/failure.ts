/** Failures that the Responses API reports inside an answer. */
import { ProviderError, type ProviderErrorKind } from '../../../providers/provider.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import { vendorError } from '../../../providers/vendor-error.ts'
import { fieldsOf, textOrNull } from '../../../json-fields.ts'

/** Codes of the type `ResponseError` of the package `openai`; all others may pass. */
const kinds: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['rate_limit_exceeded', 'rate_limit'],
  ['insufficient_quota', 'credit'],
  ['invalid_prompt', 'request'],
  ['bio_policy', 'request'],
  ['cyber_policy', 'request'],
  ['context_length_exceeded', 'request'],
])

/** @param error  the `error` of an answer, or an `error` event */
export function failureOf(error: unknown): ProviderError {
  const { type, code, param, message } = fieldsOf(error)
  const name = textOrNull(code) ?? 'unknown'
  const kind = kinds.get(name) ?? (/image|file/.test(name) ? 'request' : 'unavailable')
  // The code comes from a short list of the vendor; anything else might quote the prompt.
  const known = /^[a-z_]{1,60}$/.test(name) ? ` (${name})` : ''
  return new ProviderError(kind, `the provider reported an error mid-answer${known}`, {
    upstreamMessage: upstreamText(message, kind),
    vendor: vendorError({ type: type === 'error' ? null : type, code, param }),
    isTooLong: name === 'context_length_exceeded',
  })
}
