/**
 * Whether a value matches a caller's JSON Schema. Ajv compiles each schema to a function, so a schema beyond
 * any real use is not compiled. Its patterns are not run: a pattern that takes minutes would block every
 * other request.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

const greatestSchemaLength = 65_536

/** Also false when the schema cannot be read or is larger than 64 Ki characters. */
export function matchesSchema(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (typeof schema !== 'object' || schema === null) return false
  if (JSON.stringify(schema).length > greatestSchemaLength) return false
  try {
    // A new instance each time, because it never releases compiled schemas.
    const ajv = new Ajv2020({
      strict: false,
      meta: false,
      validateSchema: false,
      validateFormats: false,
      logger: false,
      code: { regExp: anyText },
    })
    // An asynchronous schema returns a promise.
    const result: unknown = ajv.compile(schema)(value)
    return result === true
  } catch {
    return false
  }
}

const anyText = Object.assign(() => ({ test: () => true }), {
  code: '() => ({ test: () => true })',
})
