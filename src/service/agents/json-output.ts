/** An answer that has to be JSON of a certain form. */
import { z } from 'zod'

export interface JsonOutput {
  schema: Readonly<Record<string, unknown>>
  read(text: string): { ok: true; value: unknown } | { ok: false; problem: string }
}

/** Keywords by which a schema could keep the process busy without end: expressions of its own. */
const refusedKeywords = ['pattern', 'patternProperties', '$dynamicRef']

/** A schema that cannot be used; `message` says why. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}

/** @throws SchemaRefused */
export function parseJsonSchema(schema: Readonly<Record<string, unknown>>): JsonOutput {
  const refused = refusedKeywords.find((keyword) => usesKeyword(schema, keyword))
  if (refused !== undefined) throw new SchemaRefused(`"${refused}" is not taken in a schema here`)
  const checked = toZod(schema)
  for (const value of [null, '', [], {}]) {
    if (problemOf(value, checked) === tooDeep) {
      throw new SchemaRefused('it refers to itself without end')
    }
  }
  return {
    schema,
    read(text) {
      const value = parseText(text)
      if (value === undefined) return { ok: false, problem: 'it is not JSON' }
      const problem = problemOf(value, checked)
      return problem === null ? { ok: true, value } : { ok: false, problem }
    },
  }
}

const tooDeep = 'it is nested too deep'

/** Null where the value fits. */
function problemOf(value: unknown, checked: z.ZodType): string | null {
  try {
    const parsed = checked.safeParse(value)
    if (parsed.success) return null
    const [issue] = parsed.error.issues
    const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
    return `${where}${issue?.message ?? 'it does not fit the schema'}`
  } catch (error) {
    // A schema may hold itself, and a value as many levels as its writer likes.
    if (error instanceof RangeError) return tooDeep
    throw error
  }
}

function toZod(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema)
  } catch (error) {
    throw new SchemaRefused(error instanceof Error ? error.message : 'it cannot be read', {
      cause: error,
    })
  }
}

/** Not where the name is that of a property which is described. */
function usesKeyword(value: unknown, keyword: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((each) => usesKeyword(each, keyword))
  return Object.entries(value).some(([name, inner]) => {
    if (name === keyword) return true
    const isNamed = name === 'properties' || name === '$defs' || name === 'definitions'
    const inners: unknown[] = isNamed && isObject(inner) ? Object.values(inner) : [inner]
    return inners.some((each) => usesKeyword(each, keyword))
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Undefined, which JSON does not have, for what is none. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(unfenced(text.trim()))
  } catch {
    return undefined
  }
}

/**
 * Models like to fence what they write. No expression is used for it: it would look for the end of a fence
 * that is never closed again from every line of a model's answer.
 */
function unfenced(text: string): string {
  const endOfFirstLine = text.indexOf('\n')
  const firstLine = text.slice(0, endOfFirstLine).trimEnd()
  const isFenced = (firstLine === '```' || firstLine === '```json') && text.endsWith('\n```')
  return isFenced ? text.slice(endOfFirstLine + 1, -3) : text
}
