/** Adapts the schema of Converse's request to what goes over the wire. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AnySchemaObject } from 'ajv'

export const converseTypes = '@aws-sdk/client-bedrock-runtime/dist-types/models/models_0.d.ts'

/**
 * Bytes are base64 text, members that the SDK does not know are not sent, and a field is required if the SDK
 * declares it as `field: T | undefined` without a question mark.
 */
export function asJson(schema: AnySchemaObject): AnySchemaObject {
  const required = requiredFields()
  // The generator writes definitions as objects.
  const given = schema['definitions'] as Readonly<Record<string, object>>
  const definitions = Object.entries(given).map(([name, definition]) => {
    const names = required.get(name)
    return [name, adapt(names === undefined ? definition : { ...definition, required: names })]
  })
  return { ...schema, definitions: Object.fromEntries(definitions) as unknown }
}

function adapt(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isUnknownMember(each)).map(adapt)
  if (typeof value !== 'object' || value === null) return value
  if (isBytes(value)) return { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$', minLength: 1 }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, adapt(each)]))
}

function isUnknownMember(value: unknown): boolean {
  return JSON.stringify(value).endsWith('UnknownMember"}')
}

/** The generator writes a `Uint8Array` with its fields. */
function isBytes(value: object): boolean {
  if (!('properties' in value)) return false
  const { properties } = value
  return typeof properties === 'object' && properties !== null && 'BYTES_PER_ELEMENT' in properties
}

/** Required fields by the name of the interface. */
function requiredFields(): ReadonlyMap<string, string[]> {
  const file = path.resolve(import.meta.dirname, '../../../node_modules', converseTypes)
  const interfaces = readFileSync(file, 'utf8').matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)
  return new Map(
    [...interfaces].map(([, name = '', body = '']) => {
      const fields = body.matchAll(/^ {4}(\w+): .*\| undefined;$/gm)
      return [name, [...fields].map(([, field = '']) => field)]
    }),
  )
}
