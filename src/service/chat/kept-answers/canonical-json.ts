import { createHash } from 'node:crypto'

/**
 * SHA-256 (hex) of a JSON value, independent of member order and white space, so that equal requests compare
 * as equal.
 * @param value  from `JSON.parse`
 */
export function sha256OfJson(value: unknown): string {
  return createHash('sha256').update(sortedJson(value)).digest('hex')
}

/** The same text for values that differ only in the order of members. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, withSortedMembers)
}

function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
