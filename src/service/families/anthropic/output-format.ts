/**
 * `response_format` with a schema as `output_config.format`, and the schemas of strict tools. The API takes a part of JSON
 * Schema and answers a 400 to the rest (platform.claude.com/docs, build-with-claude/structured-outputs and
 * agents-and-tools/tool-use/strict-tool-use, compared 2026-11-30), also behind Bedrock: objects without further properties, no recursion, no limits of numbers and lengths. A keyword outside of it moves
 * into the description, where the model reads it, as Anthropic's own SDK does.
 */
import type { JSONOutputFormat } from '@anthropic-ai/sdk/resources/messages'
import type { WireFields } from '../../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../../json-fields.ts'

export function outputFormat(schema: unknown): JSONOutputFormat {
  return { type: 'json_schema', schema: restrictedSchema(fieldsOf(schema)) }
}

const kept: ReadonlySet<string> = new Set(
  '$ref $defs definitions type properties required items anyOf allOf enum const title description default'.split(
    ' ',
  ),
)
const formats: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
)

/** The part of a schema that the API takes. */
export function restrictedSchema(schema: WireFields): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const moved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'oneOf') result['anyOf'] = listOf(value)
    else if (isTaken(name, value)) result[name] = inner(name, value)
    else if (name !== '$schema' && name !== 'additionalProperties') moved[name] = value
  }
  if (isObjectSchema(schema)) result['additionalProperties'] = false
  if (Object.keys(moved).length > 0) {
    const before = stringOf(result['description'])
    const rules = JSON.stringify(moved)
    result['description'] = before === null ? rules : `${before}\n\n${rules}`
  }
  return result
}

function isTaken(name: string, value: unknown): boolean {
  if (name === 'format') return formats.has(value)
  if (name === 'minItems') return value === 0 || value === 1
  return kept.has(name)
}

function inner(name: string, value: unknown): unknown {
  switch (name) {
    case 'properties':
    case '$defs':
    case 'definitions':
      return Object.fromEntries(
        Object.entries(fieldsOf(value)).map(([key, schema]) => [
          key,
          restrictedSchema(fieldsOf(schema)),
        ]),
      )
    case 'anyOf':
    case 'allOf':
      return listOf(value)
    case 'items':
      return restrictedSchema(fieldsOf(value))
    default:
      return value
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map((schema) => restrictedSchema(fieldsOf(schema))) : []
}

function isObjectSchema({ type, properties }: WireFields): boolean {
  return (
    type === 'object' ||
    properties !== undefined ||
    (Array.isArray(type) && type.includes('object'))
  )
}
