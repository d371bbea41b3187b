/** Reads parts of a request whose form is checked only by the vendor. */
import type { WireFields } from '../../shared/chat.ts'

/** No fields for anything but an object. */
export function fieldsOf(value: unknown): WireFields {
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return typeof value === 'object' && value !== null ? (value as WireFields) : {}
}

/** No items for anything but a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Null for anything but a whole number from 0. */
export function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
}
