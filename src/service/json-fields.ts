/** Reads JSON whose form is not known: requests' extension fields, and vendors' answers. */
import type { WireFields } from '../shared/chat/chat.ts'
import { parseExact } from './exact-json.ts'

const none: WireFields = {}

/** No fields for anything but an object. */
export function fieldsOf(value: unknown): WireFields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return isObject ? (value as WireFields) : none
}

/** @returns null for text that is not JSON, such as an HTML page; the parser's error would quote the text */
export function parseJsonOrNull(text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * The arguments of a tool call as an object, which some vendors require. Arguments that are no JSON object, such as
 * those of an answer that was cut off, are kept as text.
 */
export function toolInput(text: string): WireFields {
  if (text.trim() === '') return {}
  const parsed = parseJsonOrNull(text)
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isObject ? fieldsOf(parsed) : { arguments: text }
}

/** No items for anything but a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** @returns null for anything but a text */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** @returns null for an empty text and anything but a text */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Ten times the longest context of any model (10 million tokens, November 2026). */
const greatestCount = 100_000_000

/** @returns null for anything but a whole number from 0 to `greatestCount` */
export function countOf(value: unknown): number | null {
  const isCount =
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= greatestCount
  return isCount ? Number(value) : null
}
