import { ProviderError } from '../providers/provider.ts'
import { fieldsOf } from '../json-fields.ts'

/** The number in this field of a vendor's answer. @throws SyntaxError, ProviderError invalid_response */
export function readTokenCount(text: string, field: string): number {
  const count = fieldsOf(JSON.parse(text))[field]
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
  throw new ProviderError('invalid_response', 'the count of tokens has an unknown form')
}
