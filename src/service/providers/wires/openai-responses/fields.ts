/** Reads fields of parsed JSON whose type is not known. */
import type { WireFields } from '../../../../shared/chat.ts'

const none: WireFields = {}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): WireFields {
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return typeof value === 'object' && value !== null ? (value as WireFields) : none
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
