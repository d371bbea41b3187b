/** Reads fields whose types the inner form leaves open. */
import type { WireFields } from '../../../../shared/chat.ts'

export function fieldsOf(value: unknown): WireFields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return isObject ? (value as WireFields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
