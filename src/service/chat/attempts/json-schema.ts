/**
 * Whether a value matches a caller's or an agent's JSON Schema. Ajv compiles each schema to a function, so a schema
 * beyond any real use is not compiled. Its patterns are not run: a pattern that takes minutes would block every
 * other request.
 */
import type { ErrorObject } from 'ajv'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import { sortedJson } from '../kept-answers/canonical-json.ts'

type RegExpEngine = NonNullable<NonNullable<Options['code']>['regExp']>

/** In characters of its JSON. A greater one takes Ajv seconds. */
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
  if (text === 'true' || text === 'false') return () => text === 'true'
  const problemOf = text.startsWith('{') ? compileText(text) : null
  return problemOf && ((value) => problemOf(value) === null)
}

/**
 * @returns  what is wrong with a value, or null when it matches; null for a schema that cannot be read or is larger than
 *   64 Ki characters
 */
export function compileSchema(schema: object): ((value: unknown) => string | null) | null {
  return compileText(JSON.stringify(schema))
}

function compileText(text: string): ((value: unknown) => string | null) | null {
  if (text.length > greatestSchemaLength) return null
  try {
    // A text that begins with a brace is an object.
    const schema = JSON.parse(text) as object
    // An asynchronous schema returns a promise in place of an answer.
    if ('$async' in schema) return null
    const check = newAjv().compile(schema)
    return (value) => (check(value) ? null : problemIn(check.errors ?? []))
  } catch {
    return null
  }
}

/**
 * A new instance each time, because it never releases compiled schemas.
 * @param regExp  what is done with a schema's patterns; by default, every text matches
 */
export function newAjv(regExp: RegExpEngine = anyText): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    // Else a property named "constructor" is in every object.
    ownProperties: true,
    // 19.99 is a multiple of 0.01, though not in binary.
    multipleOfPrecision: 6,
    // Both make functions that take longer to compile than they save.
    inlineRefs: false,
    code: { regExp, optimize: false },
  })
  // Ajv's own compares each item with each other one.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', validate: areUnique, error: repeats })
  return ajv
}

function areUnique(isRequired: unknown, items: readonly unknown[]): boolean {
  return isRequired !== true || new Set(items.map(sortedJson)).size === items.length
}

const repeats = { message: 'must not have equal items' }

/** The last error is of the whole value. Errors before it are of its parts, such as the schemas of an `anyOf`. */
function problemIn(errors: readonly ErrorObject[]): string {
  const [first = 'it does not match the schema', ...others] = errors.map(wordsFor)
  const whole = others.at(-1)
  return whole === undefined ? first : `${whole} (${first})`
}

function wordsFor({ instancePath, message = '', params }: ErrorObject): string {
  const { missingProperty: missing, additionalProperty: extra } = params as Record<string, string>
  // RFC 6901 writes a slash in a name as ~1.
  const outer = instancePath.split('/').slice(1)
  const names = outer.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const path = [...names, ...(missing === undefined ? [] : [missing])].join('.')
  const words = extra === undefined ? message : `${message} such as "${extra}"`
  return path === '' ? words : `${path}: ${words}`
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
