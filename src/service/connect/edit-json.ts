/** Edits JSON with comments in place (VS Code's own parser). Bytes outside the changed values stay. */
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser'
import type { JSONPath, ParseError } from 'jsonc-parser'
import { UnreadableFile } from './tool.ts'

export interface JsonChange {
  path: JSONPath
  value: unknown
  /** The user's own value stays, if there is one. */
  isDefault?: boolean
}

/** @throws UnreadableFile when the text is not an object in JSON, or a value in it is of another type than expected */
export function editJson(before: string | null, changes: readonly JsonChange[]): string {
  const start = before === null || before.trim() === '' ? '{}\n' : before
  requireObject(start)
  const options = hasLongLine(start) ? {} : { formattingOptions: formattingOf(start) }
  return changes.reduce((text, { path, value, isDefault = false }) => {
    if (isDefault && valueAt(text, path) !== undefined) return text
    requireParents(text, path)
    return applyEdits(text, modify(text, path, value, options))
  }, start)
}

/** The value at a path; undefined when there is none, or no readable file. */
export function valueAt(text: string | null, path: JSONPath): unknown {
  const root = parseTree(text ?? '', [], parseOptions)
  const node = root && findNodeAtLocation(root, path)
  return node && getNodeValue(node)
}

const longestFormattedLine = 4096
const parseOptions = { allowTrailingComma: true }

function requireObject(text: string): void {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, parseOptions)
  if (errors.length === 0 && root?.type === 'object') return
  throw new UnreadableFile('It is not valid JSON.')
}

/** Checks that each value on the way to the last one can hold it. */
function requireParents(text: string, path: JSONPath): void {
  const root = parseTree(text, [], parseOptions)
  for (const [length, name] of path.entries()) {
    const node = root && findNodeAtLocation(root, path.slice(0, length))
    if (node === undefined) return
    const type = typeof name === 'number' ? 'array' : 'object'
    if (node.type === type) continue
    throw new UnreadableFile(`Its “${path.slice(0, length).join('.')}” must be an ${type}.`)
  }
}

/** A line without breaks, of thousands of characters, stays one: a program wrote it, and formatting it takes minutes. */
function hasLongLine(text: string): boolean {
  return text.split('\n').some(({ length }) => length > longestFormattedLine)
}

/** The file's own indentation and line ends. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}
