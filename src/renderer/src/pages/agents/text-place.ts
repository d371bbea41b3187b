/** Finds the field of a definition that a place in its text belongs to. */
import { isMap, isNode, isScalar, isSeq, parseDocument, type Document, type Node } from 'yaml'
import { draftOf, valueOf, type DraftGraph, type Path, type TextRange } from './draft.ts'

/** The word at the caret and the field that it belongs to. */
export interface TextPlace {
  /** The word, which a suggestion replaces. */
  word: TextRange
  /** The field's path; for the name of a field, the path of its object. */
  path: Path
  isName: boolean
  /** The text of the field up to the caret; null when the word is all of it. */
  before: string | null
  /** Names of the object's other fields, at the name of a field. */
  siblings: readonly string[]
  value: unknown
  draft: DraftGraph
}

/** Stands for the word at the caret. A word keeps an unfinished text readable: `needs: [` has an item with it. */
const marker = 'word0at0the0caret'

/** @returns null where nothing can be suggested, such as in a comment */
export function placeAt(source: string, caret: number): TextPlace | null {
  const start = caret - (/[\w./:-]*$/.exec(source.slice(0, caret))?.[0] ?? '').length
  const word = source.slice(start, caret)
  if (word.endsWith(':')) return null
  const from = start + (/^-*/.exec(word)?.[0].length ?? 0)
  const to = caret + (/^[\w./-]*/.exec(source.slice(caret))?.[0] ?? '').length
  const filled = (text: string) => source.slice(0, from) + text + source.slice(to)
  // Without a colon, a name above other fields would be the first half of the next name.
  const found = findMarker(filled(marker)) ?? findMarker(filled(`${marker}:`))
  return found && { ...found, word: { from, to } }
}

function findMarker(text: string): Omit<TextPlace, 'word'> | null {
  const document = parseDocument(text, { version: '1.2' })
  const found = [...entriesOf(document)].find(isMarked)
  if (!found) return null
  const isName = found.path.at(-1) === marker
  const value = isScalar(found.value) ? String(found.value.value) : ''
  return {
    path: isName ? found.path.slice(0, -1) : found.path,
    isName,
    before: isName || value === marker ? null : value.slice(0, value.indexOf(marker)),
    siblings: isName ? found.names.filter((name) => name !== marker) : [],
    value: valueOf(document),
    draft: draftOf(document, text),
  }
}

/** A value of the text with its field's name; null for items of lists. */
interface Entry {
  path: Path
  key: Node | null
  value: Node | null
  /** The names of all fields of the object; empty for items of lists. */
  names: readonly string[]
}

/** All values, each before the values inside it. */
function* entriesOf({ contents }: Document): Generator<Entry> {
  if (!isNode(contents)) return
  const open: Entry[] = [{ path: [], key: null, value: contents, names: [] }]
  for (let entry = open.pop(); entry; entry = open.pop()) {
    yield entry
    open.push(...innerOf(entry).toReversed())
  }
}

function innerOf({ path, value: outer }: Entry): Entry[] {
  if (isSeq(outer)) {
    return outer.items.map((value, index) => ({
      path: [...path, index],
      key: null,
      value: isNode(value) ? value : null,
      names: [],
    }))
  }
  if (!isMap(outer)) return []
  const names = outer.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
  return outer.items.map(({ key, value }, index) => ({
    path: [...path, names[index] ?? ''],
    key: isNode(key) ? key : null,
    value: isNode(value) ? value : null,
    names,
  }))
}

function isMarked({ path, value }: Entry): boolean {
  if (path.at(-1) === marker) return true
  return isScalar(value) && typeof value.value === 'string' && value.value.includes(marker)
}

/** The path of the field whose name is at this offset, and the definition. */
export function fieldAt(source: string, offset: number): { path: Path; value: unknown } | null {
  const document = parseDocument(source, { version: '1.2' })
  for (const { path, key } of entriesOf(document)) {
    const [from, to] = key?.range ?? [offset + 1, 0]
    if (from <= offset && offset <= to) return { path, value: valueOf(document) }
  }
  return null
}
