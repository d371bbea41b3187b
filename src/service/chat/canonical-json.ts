import { createHash } from 'node:crypto'

/**
 * SHA-256 (hex) of a JSON value, the same whatever the order of its members and its white space were:
 * what would be asked of a model is compared, not how it was written down.
 * @param value  as `JSON.parse` gave it
 */
export function sha256OfJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, withSortedMembers)).digest('hex')
}

function withSortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
