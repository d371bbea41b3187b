/** Answers that must be JSON and match a schema. */
import { z } from 'zod'
import { compileSchema, greatestSchemaLength } from '../chat/attempts/json-schema.ts'

export interface JsonOutput {
  schema: Readonly<Record<string, unknown>>
  read(text: string): { ok: true; value: unknown } | { ok: false; problem: string }
}

/** Keywords that could block the process: regular expressions and dynamic references. */
const refusedKeywords = ['pattern', 'patternProperties', '$dynamicRef']

/** A schema that Modelport does not support. `message` gives the reason. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}

/** @throws SchemaRefused */
export function parseJsonSchema(schema: Readonly<Record<string, unknown>>): JsonOutput {
  const check = compiled(schema)
  // Each type, because a reference may be in the part of the schema that is about one of them.
  for (const value of [null, true, 0, '', [], {}]) {
    if (problemOf(value, check) === tooDeep) {
      throw new SchemaRefused('the schema refers to itself endlessly')
    }
  }
  return {
    schema,
    read(text) {
      const value = parseText(text)
      if (value === undefined) return { ok: false, problem: 'it is not JSON' }
      const problem = problemOf(value, check)
      return problem === null ? { ok: true, value } : { ok: false, problem }
    },
  }
}

type Check = ReturnType<typeof compileSchema>

const tooDeep = 'it is nested too deeply'

/** @returns null if the value matches */
function problemOf(value: unknown, check: Check): string | null {
  try {
    return check(value)
  } catch (error) {
    // A recursive schema accepts values of any depth.
    if (error instanceof RangeError) return tooDeep
    throw error
  }
}

/** @throws SchemaRefused */
function compiled(schema: Readonly<Record<string, unknown>>): Check {
  const refused = refusedKeywords.find((keyword) => someIn(schema, (part) => keyword in part))
  if (refused !== undefined) throw new SchemaRefused(`a schema cannot use "${refused}"`)
  if (someIn(schema, hasNoSchema)) {
    throw new SchemaRefused('each of "properties" must be a schema, such as { type: string }')
  }
  if (JSON.stringify(schema).length > greatestSchemaLength) {
    throw new SchemaRefused(`a schema has at most ${greatestSchemaLength} characters`)
  }
  try {
    // Ajv passes over some mistakes that Zod finds. Zod passes over values that Ajv refuses.
    z.fromJSONSchema(schema)
    return compileSchema(schema, formats)
  } catch (error) {
    throw new SchemaRefused(error instanceof Error ? error.message : 'the schema cannot be read', {
      cause: error,
    })
  }
}

const formatNames = [
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'time',
  'uri',
  'uuid',
]

const formats = Object.fromEntries(
  formatNames.map((format) => {
    const text = z.fromJSONSchema({ type: 'string', format })
    return [format, (value: string) => text.safeParse(value).success]
  }),
)

/** For example `properties: { score: number }`, which Ajv takes for "anything". */
function hasNoSchema({ properties }: Readonly<Record<string, unknown>>): boolean {
  return (
    isObject(properties) &&
    Object.values(properties).some((each) => !isObject(each) && typeof each !== 'boolean')
  )
}

/** Ignores names of properties and definitions, which are not keywords. */
function someIn(
  value: unknown,
  test: (part: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  if (!isObject(value)) return false
  if (Array.isArray(value)) return value.some((each) => someIn(each, test))
  return (
    test(value) ||
    Object.entries(value).some(([name, inner]) => {
      const isNamed = name === 'properties' || name === '$defs' || name === 'definitions'
      const inners: unknown[] = isNamed && isObject(inner) ? Object.values(inner) : [inner]
      return inners.some((each) => someIn(each, test))
    })
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** @returns undefined for text that is not JSON */
function parseText(text: string): unknown {
  try {
    return JSON.parse(unfenced(text.trim()))
  } catch {
    return undefined
  }
}

/**
 * Removes the code fence that models often write. A regular expression would take quadratic time on a fence that is
 * never closed.
 */
function unfenced(text: string): string {
  const endOfFirstLine = text.indexOf('\n')
  const firstLine = text.slice(0, endOfFirstLine).trimEnd()
  const isFenced = (firstLine === '```' || firstLine === '```json') && text.endsWith('\n```')
  return isFenced ? text.slice(endOfFirstLine + 1, -3) : text
}
