/** Meaning of a status where the vendor's body gives no reason, and the message for it. */
import type { ProviderErrorKind } from '../providers/provider.ts'

const kinds: ReadonlyMap<number, ProviderErrorKind> = new Map([
  [400, 'request'],
  [401, 'auth'],
  [402, 'credit'],
  [403, 'auth'],
  [408, 'timeout'],
  [413, 'request'],
  [422, 'request'],
  [429, 'rate_limit'],
  [504, 'timeout'],
])

export function kindOfStatus(status: number): ProviderErrorKind {
  return kinds.get(status) ?? 'unavailable'
}

/** @param codes  the vendor's own, in brackets; they follow the words about a refused request */
export function usualWords(kind: ProviderErrorKind, status: number, codes = ''): string {
  switch (kind) {
    case 'request':
      return `the provider refused the request${codes}`
    case 'auth':
      return 'the provider rejected the key'
    case 'credit':
      return 'the account is out of credit'
    case 'rate_limit':
      return 'the provider limits the rate of requests'
    case 'timeout':
      return 'the provider did not answer in time'
    default:
      return `the provider answered with status ${status}`
  }
}
