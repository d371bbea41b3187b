/**
 * A JSON schema from a type of a vendor's SDK, and the violations of a request against it. The SDK's types are
 * the vendor's own list of fields. Making a schema takes about three seconds, so it is stored in
 * `node_modules/.cache` for each version of the SDK.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'node_modules/.cache/sdk-schemas')
/** Raised with the options below, which the stored schemas depend on. */
const generation = 1

/** A type that an SDK's declaration file exports. */
export interface SdkType {
  /** Relative to `node_modules`: `openai/resources/chat/completions/completions.d.ts`. */
  file: string
  type: string
}

/**
 * @returns a function that gives the violations of a value, in words. Unknown fields are violations.
 * @param adapt  changes the schema before it is compiled, where the vendor's documentation and its types differ
 */
export function sdkSchema(
  source: SdkType,
  adapt: (schema: AnySchemaObject) => AnySchemaObject = (schema) => schema,
): (value: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  const isValid = ajv.compile(adapt(storedSchema(source)))
  return (value) => {
    if (isValid(value)) return []
    const errors = isValid.errors ?? []
    return [
      ...new Set(
        errors.map(
          ({ instancePath, message, params }) =>
            `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
        ),
      ),
    ]
  }
}

function storedSchema(source: SdkType): AnySchemaObject {
  const file = path.join(root, 'node_modules', source.file)
  const key = hash('sha256', `${generation} ${source.type} ${versionOf(file)} ${source.file}`)
  const stored = path.join(folder, `${key}.json`)
  if (existsSync(stored)) return JSON.parse(readFileSync(stored, 'utf8')) as AnySchemaObject
  const schema = generate(file, source.type)
  mkdirSync(folder, { recursive: true })
  // Several test files may write it at the same time.
  const own = `${stored}.${process.pid}`
  writeFileSync(own, JSON.stringify(schema))
  renameSync(own, stored)
  return schema
}

/** By file, because reading one takes longer than making a schema of it. */
const generators = new Map<string, SchemaGenerator>()

function generate(file: string, type: string): AnySchemaObject {
  const generator =
    generators.get(file) ??
    createGenerator({
      path: file,
      skipTypeCheck: true,
      additionalProperties: false,
      jsDoc: 'none',
    })
  generators.set(file, generator)
  // As it is read from the file: the two packages' types of a schema differ.
  return JSON.parse(JSON.stringify(generator.createSchema(type))) as AnySchemaObject
}

/** The version of the package that a file belongs to. */
function versionOf(file: string): string {
  for (let at = path.dirname(file); at !== root; at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json')
    if (!existsSync(manifest)) continue
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }
    if (typeof version === 'string') return version
  }
  throw new Error(`${file} belongs to no package`)
}
