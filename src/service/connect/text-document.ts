/** A configuration file as values at paths, by the format that its name says. What is not changed keeps its bytes. */
import { extname } from 'node:path'
import { patch } from '@decimalturn/toml-patch'
import { editJson, valueAt } from './edit-json.ts'
import { removeVariable, setVariable, variablesOf } from './edit-env.ts'
import { readToml } from './edit-toml.ts'
import { readYaml, writeYaml } from './edit-yaml.ts'
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
  if (name === '.env') return env
  const format = formats[extname(name)]
  if (format) return format
  throw new UnreadableFile('Its format is unknown.')
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
    return patch(text, wanted)
  },
}

const yaml: Format = {
  read(text) {
    const value: unknown = readYaml(text).toJS()
    return value ?? {}
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
