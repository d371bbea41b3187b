/** Answers that must be JSON and match a schema. */
import { z } from 'zod'
import { compileSchema } from '../chat/attempts/json-schema.ts'

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

/** @returns what is wrong with the value; null if it matches */
type Check = (value: unknown) => string | null

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

/**
 * Zod decides which schemas are supported, and gives the clearer messages. It passes over some keywords, such as those of an
 * object without a type, so Ajv checks an answer as well, unless the schema is of an older draft that it does not read.
 * @throws SchemaRefused
 */
function compiled(schema: Readonly<Record<string, unknown>>): Check {
  const refused = refusedKeywords.find((keyword) => usesKeyword(schema, keyword))
  if (refused !== undefined) throw new SchemaRefused(`a schema cannot use "${refused}"`)
  const byZod = checkOf(schema)
  const byAjv = compileSchema(schema)
  return (value) => byZod(value) ?? byAjv?.(value) ?? null
}

/** @throws SchemaRefused */
function checkOf(schema: Readonly<Record<string, unknown>>): Check {
  const checked = toZod(schema)
  return (value) => {
    const parsed = checked.safeParse(value)
    if (parsed.success) return null
    const [issue] = parsed.error.issues
    const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
    return `${where}${issue?.message ?? 'it does not match the schema'}`
  }
}

function toZod(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema)
  } catch (error) {
    throw new SchemaRefused(error instanceof Error ? error.message : 'the schema cannot be read', {
      cause: error,
    })
  }
}

/** Names of properties and definitions are no keywords, and neither is what is in values. */
function usesKeyword(value: unknown, keyword: string): boolean {
  if (!isObject(value)) return false
  if (Array.isArray(value)) return value.some((each) => usesKeyword(each, keyword))
  return Object.entries(value).some(([name, inner]) => {
    if (name === keyword) return true
    if (valueKeywords.has(name)) return false
    const isNamed = name === 'properties' || name === '$defs' || name === 'definitions'
    const inners: unknown[] = isNamed && isObject(inner) ? Object.values(inner) : [inner]
    return inners.some((each) => usesKeyword(each, keyword))
  })
}

const valueKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

function isObject(value: unknown): value is object {
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
