/** Edits YAML in place. Comments and the order of everything else stay. */
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  YAMLSeq,
  type Document,
  type ScalarTag,
  type Tags,
} from 'yaml'
import { UnreadableFile, unsafeForm } from './tool.ts'

/** An item that a list contains once, found by one of its fields. */
export interface ListedItem {
  /** The list's place; empty when the whole file is the list. */
  path: readonly string[]
  /** The field that names items. */
  key: string
  item: Readonly<Record<string, unknown>>
}

/** Changes the item with the same name, or adds one at the end. @throws UnreadableFile */
export function editYamlList(
  before: string | null,
  { path, key, item }: ListedItem,
  defaults: Readonly<Record<string, unknown>> = {},
): string {
  const document = readYaml(before)
  if (path.length > 0) requireMap(document)
  for (const [name, value] of Object.entries(defaults)) {
    if (!document.has(name)) document.set(name, value)
  }
  const list = listAt(document, path)
  const existing = list.items.filter(isMap).find((each) => each.get(key) === item[key])
  if (!existing) list.add(document.createNode(item))
  // What the user added to it stays.
  for (const [name, value] of Object.entries(item)) existing?.set(name, document.createNode(value))
  return writeYaml(document, before)
}

/** Sets top-level values, and adds a line to a list unless it is there. @throws UnreadableFile */
export function editYamlValues(
  before: string | null,
  values: Readonly<Record<string, string>>,
  lists: Readonly<Record<string, { prefix: string; line: string }>>,
): string {
  const document = readYaml(before)
  requireMap(document)
  for (const [name, value] of Object.entries(values)) document.set(name, value)
  for (const [name, { prefix, line }] of Object.entries(lists)) {
    const list = listAt(document, [name])
    // Only items that it wrote itself are replaced.
    list.items = list.items.filter((each) => !String(each).startsWith(prefix))
    list.add(document.createNode(line))
  }
  return writeYaml(document, before)
}

export function readYaml(before: string | null): Document {
  const document = parseDocument(before ?? '', { keepSourceTokens: true, customTags: asWritten })
  if (document.errors.length > 0) throw new UnreadableFile('It is not valid YAML.')
  return document
}

/** Numbers that stay are written as they were: as values, they lose leading zeros, and digits beyond 15. */
function asWritten(tags: Tags): Tags {
  return tags.map((tag) => {
    const isNumber = typeof tag === 'object' && /:(int|float)$/.test(tag.tag)
    // The two tags of numbers are tags of scalars.
    return isNumber ? keepingSource(tag as ScalarTag) : tag
  })
}

function keepingSource(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    stringify(node, ...context) {
      const { source, value } = node
      const read = source === undefined ? undefined : tag.resolve(source, () => {}, {})
      const isUnchanged = Object.is(isScalar(read) ? read.value : read, value)
      if (source !== undefined && isUnchanged) return source
      return tag.stringify?.(node, ...context) ?? String(value)
    },
  }
}

/** @throws UnreadableFile for references that lead nowhere, or to absurdly many values */
export function valueOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof ReferenceError) throw new UnreadableFile(unsafeForm, { cause: error })
    throw error
  }
}

function requireMap({ contents }: Document): void {
  if (contents === null || isMap(contents)) return
  throw new UnreadableFile('It has another value where a map belongs.')
}

/** @throws UnreadableFile when something else is in its place */
function listAt(document: Document, path: readonly string[]): YAMLSeq {
  const found = path.length === 0 ? document.contents : document.getIn(path, true)
  if (isSeq(found)) return found
  if (found !== undefined && found !== null) {
    throw new UnreadableFile('It has another value where a list belongs.')
  }
  const list = new YAMLSeq(document.schema)
  if (path.length === 0) document.contents = list
  else document.setIn(path, list)
  return list
}

/** Writes the document with unbroken long lines, so that only our own changes differ. @throws UnreadableFile */
export function writeYaml(document: Document, before: string | null): string {
  try {
    const text = document.toString({ lineWidth: 0, flowCollectionPadding: false })
    return before?.includes('\r\n') ? text.replaceAll(/\r?\n/g, '\r\n') : text
  } catch (error) {
    // Something refers to what was replaced, for example.
    throw new UnreadableFile(unsafeForm, { cause: error })
  }
}
