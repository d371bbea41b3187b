/** Reads JSON whose form is not known: requests' extension fields, and vendors' answers. */
import type { WireFields } from '../../../shared/chat.ts'

const none: WireFields = {}

/** No fields for anything but an object. */
export function fieldsOf(value: unknown): WireFields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return isObject ? (value as WireFields) : none
}

/** No items for anything but a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Null for an empty text and anything but a text. */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Ten times the longest context of any model (10 million tokens, November 2026). */
const greatestCount = 100_000_000

/** Null for anything but a whole number from 0 to `greatestCount`. */
export function countOf(value: unknown): number | null {
  const isCount =
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= greatestCount
  return isCount ? Number(value) : null
}
