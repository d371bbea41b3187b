/** Fields in Gemini's form, which Google's parser takes in camelCase and in snake_case. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf } from '../../../json-fields.ts'

/** The object's own fields in camelCase; what is inside of them stays. No fields for anything but an object. */
export function geminiFields(value: unknown): WireFields {
  const fields = fieldsOf(value)
  if (!Object.keys(fields).some((name) => name.includes('_'))) return fields
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [camelCase(name), inner]))
}

/** A field that is there in both spellings; null without one. */
export function repeatedSpelling(fields: WireFields): string | null {
  const isTwice = (name: string) => name.includes('_') && Object.hasOwn(fields, camelCase(name))
  return Object.keys(fields).find(isTwice) ?? null
}

/** A list, or the one item that stands for it. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
