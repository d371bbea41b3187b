/**
 * Whether a value matches a caller's JSON Schema. Ajv compiles each schema to a function, so a schema beyond
 * any real use is not compiled. Its patterns are not run: a pattern that takes minutes would block every
 * other request.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

const greatestSchemaLength = 65_536

/** Whether the value matches. False also when the schema cannot be read or is larger than 64 Ki characters. */
export function matchesSchema(schema: unknown, value: unknown): boolean {
  return compile(textOf(schema))?.(value) ?? false
}

type Check = (value: unknown) => boolean

/** @returns empty for what cannot be a schema */
function textOf(schema: unknown): string {
  return typeof schema === 'object' || typeof schema === 'boolean' ? JSON.stringify(schema) : ''
}

/** @returns null for a schema that cannot be read or is too large @param text  the schema as JSON */
function compile(text: string): Check | null {
  if (text.length > greatestSchemaLength) return null
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema === 'boolean') return () => schema
    if (typeof schema !== 'object' || schema === null) return null
    // A new instance each time, because it never releases compiled schemas.
    const ajv = new Ajv2020({
      strict: false,
      meta: false,
      validateSchema: false,
      validateFormats: false,
      logger: false,
      code: { regExp: anyText },
    })
    const check = ajv.compile(schema)
    // An asynchronous schema returns a promise, which is no match.
    return '$async' in schema ? null : (value) => check(value)
  } catch {
    return null
  }
}

/** Programs send the same few schemas again and again. */
const keptSchemas = 20
/** Compiling takes some 2 ms, in which no other request is served. */
const msBetweenCompiled = 100

/** Checks values against the schemas of many requests. It remembers compiled schemas and compiles few new ones. */
export class SchemaMatcher {
  readonly #clock: () => number
  /** Checks in order of use, by the schema as JSON. Null for one that cannot be read. */
  readonly #checks = new Map<string, Check | null>()
  #compiledAtMs = -Infinity

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** @returns null when the schema cannot be read, is too large, or is one of too many new ones */
  match(schema: unknown, value: unknown): boolean | null {
    const text = textOf(schema)
    const check = this.#checks.has(text) ? this.#checks.get(text) : this.#compiled(text)
    if (check === undefined) return null
    this.#checks.delete(text)
    this.#checks.set(text, check)
    return check === null ? null : check(value)
  }

  /** @returns undefined when it is too early for another one */
  #compiled(text: string): Check | null | undefined {
    const nowMs = this.#clock()
    if (text.length > greatestSchemaLength) return null
    if (nowMs - this.#compiledAtMs < msBetweenCompiled) return undefined
    this.#compiledAtMs = nowMs
    if (this.#checks.size >= keptSchemas) {
      for (const [oldest] of this.#checks) {
        this.#checks.delete(oldest)
        break
      }
    }
    return compile(text)
  }
}

const anyText = Object.assign(() => ({ test: () => true }), {
  code: '() => ({ test: () => true })',
})
