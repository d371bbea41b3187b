/**
 * Whether a value is as a JSON Schema of a caller says. Ajv makes a function of each schema, so one
 * that is beyond any real use is not compiled, and its patterns are not run: a pattern that takes
 * minutes for a word would hold up every other request.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

const greatestSchemaLength = 65_536

/** False, too, where the schema cannot be read or is larger than 64 Ki characters. */
export function matchesSchema(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (typeof schema !== 'object' || schema === null) return false
  if (JSON.stringify(schema).length > greatestSchemaLength) return false
  try {
    // One of its own for each: it keeps what it has compiled.
    const ajv = new Ajv2020({
      strict: false,
      meta: false,
      validateSchema: false,
      validateFormats: false,
      logger: false,
      code: { regExp: anyText },
    })
    // An asynchronous schema gives a promise.
    const result: unknown = ajv.compile(schema)(value)
    return result === true
  } catch {
    return false
  }
}

const anyText = Object.assign(() => ({ test: () => true }), {
  code: '() => ({ test: () => true })',
})
