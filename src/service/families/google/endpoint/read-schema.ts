/** Schemas in Google's dialect of OpenAPI as JSON Schema. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { geminiFields } from './fields.ts'

/** Whole numbers that Google's JSON writes as texts, because they have 64 bits. */
const counts = 'minItems maxItems minLength maxLength minProperties maxProperties'.split(' ')
/** Fields that JSON Schema does not have. */
const googles = new Set(['nullable', 'propertyOrdering', 'example'])

export function jsonSchemaOf(value: unknown): WireFields {
  const fields = geminiFields(value)
  const schema: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fields)) {
    if (!googles.has(name)) schema[name] = convert(name, inner)
  }
  const type = typeOf(fields)
  if (type === undefined) delete schema['type']
  else schema['type'] = type
  return schema
}

function convert(name: string, value: unknown): unknown {
  if (counts.includes(name)) return typeof value === 'string' ? Number(value) : value
  if (name === 'items') return jsonSchemaOf(value)
  if (name === 'anyOf') return listOf(value).map(jsonSchemaOf)
  if (name !== 'properties') return value
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([property, inner]) => [property, jsonSchemaOf(inner)]),
  )
}

function typeOf({ type, nullable }: WireFields): string | string[] | undefined {
  const named = stringOf(type)?.toLowerCase()
  if (named === undefined || named === 'type_unspecified') return undefined
  return nullable === true ? [named, 'null'] : named
}
