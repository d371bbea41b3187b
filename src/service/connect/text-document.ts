/** A configuration file as values at paths, by the format that its name says. What is not changed keeps its bytes. */
import { extname } from 'node:path'
import { editJson, valueAt } from './edit-json.ts'
import { removeVariable, setVariable, variablesOf } from './edit-env.ts'
import { patchToml, readToml } from './edit-toml.ts'
import { readYaml, valueOf, writeYaml } from './edit-yaml.ts'
import { UnreadableFile } from './tool.ts'

/** Names of fields, and positions in lists. */
export type ValuePath = readonly (string | number)[]

export interface ValueChange {
  path: ValuePath
  /** Undefined removes the field, or the item of the list. */
  value: unknown
}

interface Format {
  /** @throws UnreadableFile */
  read(text: string): unknown
  /** Each change sees the text that the one before it left. @throws UnreadableFile */
  change(text: string, changes: readonly ValueChange[]): string
}

/** @param name  of the file */
export function formatOf(name: string): Format {
  const format = name === '.env' ? env : formats[extname(name)]
  if (format) return { ...format, read: (text) => readShallow(text, format) }
  throw new UnreadableFile('Its format is unknown.')
}

/** Deeper than any tool's settings, and far from where a parser's recursion ends. */
const mostLevels = 100

/** @throws UnreadableFile for values that are nested too deeply, also in themselves */
function readShallow(text: string, { read }: Format): unknown {
  const tooDeep = `It is nested more than ${mostLevels} levels deep.`
  try {
    const value = read(text)
    if (isDeeperThan(mostLevels, value)) throw new UnreadableFile(tooDeep)
    return value
  } catch (error) {
    // The parsers recurse.
    if (error instanceof RangeError) throw new UnreadableFile(tooDeep, { cause: error })
    throw error
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

const json: Format = {
  read: (text) => valueAt(editJson(text, []), []),
  change: (text, changes) =>
    editJson(
      text,
      changes.map(({ path, value }) => ({ path: [...path], value })),
    ),
}

const toml: Format = {
  read: readToml,
  change(text, changes) {
    const wanted = readToml(text)
    for (const change of changes) setIn(wanted, change)
    return patchToml(text, wanted)
  },
}

const yaml: Format = {
  read(text) {
    return valueOf(readYaml(text)) ?? {}
  },
  change(text, changes) {
    const document = readYaml(text)
    for (const { path, value } of changes) {
      if (value === undefined) document.deleteIn(path)
      else document.setIn(path, document.createNode(value))
    }
    return writeYaml(document, text)
  },
}

const env: Format = {
  read: variablesOf,
  change: (text, changes) =>
    changes.reduce(
      (current, { path: [name = ''], value }) =>
        typeof value === 'string'
          ? setVariable(current, String(name), value)
          : removeVariable(current, String(name)),
      text,
    ),
}

const formats: Readonly<Record<string, Format>> = {
  '.json': json,
  '.jsonc': json,
  '.toml': toml,
  '.yaml': yaml,
  '.yml': yaml,
}

/** Changes a value of records and lists in place. */
function setIn(root: unknown, { path, value }: ValueChange): void {
  const [name, ...rest] = path
  if (name === undefined || typeof root !== 'object' || root === null) return
  if (rest.length > 0) setIn(Reflect.get(root, name), { path: rest, value })
  else if (value !== undefined) Reflect.set(root, name, value)
  else if (Array.isArray(root)) root.splice(Number(name), 1)
  else Reflect.deleteProperty(root, name)
}
