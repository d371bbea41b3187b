/** Edits TOML in place. Comments, order and spelling of everything else stay. */
import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import { UnreadableFile, unsafeForm } from './tool.ts'

type TomlValue = string | number | readonly string[] | Readonly<Record<string, string>>
type TomlValues = Readonly<Record<string, TomlValue>>

export interface TomlChange {
  /** Set at the top of the file. */
  values: TomlValues
  /** Set in a table of this path, which is added at the end if it is missing. */
  table: { path: readonly [string, string]; values: TomlValues }
}

/** @throws UnreadableFile when the text is not TOML, or has something else at the table's path */
export function editToml(before: string | null, { values, table }: TomlChange): string {
  const start = withFirstValues(before ?? '', values)
  const document = readToml(start)
  const [outer, inner] = table.path
  const tables = asTable(document[outer])
  const hasTable = tables[inner] !== undefined
  const wanted = { ...document, ...values }
  const withTable = {
    ...wanted,
    [outer]: { ...tables, [inner]: { ...asTable(tables[inner]), ...table.values } },
  }
  // The library writes a new table inline at the top; people expect it at the end, under its own heading.
  const text = hasTable
    ? patchToml(start, withTable)
    : append(patchToml(start, wanted), `[${outer}.${inner}]`, table.values)
  if (!isDeepStrictEqual(toPlain(readToml(text)), toPlain(withTable))) {
    throw new UnreadableFile(unsafeForm)
  }
  return text
}

/** Changes the text to these values, in place. @throws UnreadableFile */
export function patchToml(text: string, wanted: Record<string, unknown>): string {
  try {
    return patch(text, wanted)
  } catch (error) {
    throw new UnreadableFile(unsafeForm, { cause: error })
  }
}

/** @throws UnreadableFile */
export function readToml(text: string): Record<string, unknown> {
  try {
    // The parser's result is typed `any`; a document is a table.
    return parse(text) as Record<string, unknown>
  } catch (error) {
    throw new UnreadableFile('It is not valid TOML.', { cause: error })
  }
}

function asTable(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UnreadableFile('It has another value where a table belongs.')
}

/**
 * Values of a file that begins with a table stand above it and its comment, which the library would take for theirs, and
 * remove with them.
 */
function withFirstValues(text: string, values: TomlValues): string {
  const beginsWithTable = /^\s*(?:#[^\n]*\n\s*)*\[/.test(text)
  if (!beginsWithTable || Object.keys(values).length === 0) return text
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${Object.entries(values).map(assignment).join(eol)}${eol}${eol}${text}`
}

function append(text: string, heading: string, values: TomlValues): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`
  const gap = start === '' ? '' : eol
  const lines = [heading, ...Object.entries(values).map(assignment)]
  return `${start}${gap}${lines.join(eol)}${eol}`
}

/** On one line: a table of its own would need a heading of its own. JSON's texts and numbers are TOML's, too. */
function assignment([name, value]: [string, TomlValue]): string {
  return `${name} = ${inline(value)}`
}

function inline(value: TomlValue): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  return `{ ${Object.entries(value).map(assignment).join(', ')} }`
}

/** Dates, tables without prototypes, and integers that are too large for a number become comparable. */
function toPlain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)),
  )
}
