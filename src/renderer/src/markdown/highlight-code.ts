/** Colours code. Runs in the rendering worker. */
import { common, createLowlight } from 'lowlight'

const codeKinds = [
  'comment',
  'keyword',
  'string',
  'number',
  'title',
  'type',
  'addition',
  'deletion',
] as const
export type CodeKind = (typeof codeKinds)[number]

/** A piece of code with one colour; null is the colour of plain code. */
export type CodePart = readonly [text: string, kind: CodeKind | null]

const lowlight = createLowlight(common)

/** highlight.js's scopes, by what they have in common. */
const kindOfScope: ReadonlyMap<string, CodeKind> = new Map([
  ...scopes('comment', 'comment quote'),
  ...scopes('keyword', 'keyword selector-tag meta doctag operator section'),
  ...scopes('string', 'string regexp char symbol link'),
  ...scopes('number', 'number literal'),
  ...scopes('title', 'title function_ selector-id selector-class attr attribute property'),
  ...scopes('type', 'type class_ built_in name tag template-tag variable template-variable'),
  ...scopes('addition', 'addition'),
  ...scopes('deletion', 'deletion'),
])

function scopes(kind: CodeKind, names: string): [string, CodeKind][] {
  return names.split(' ').map((name) => [name, kind])
}

/** The code in coloured pieces; null for an unknown language. */
export function highlightCode(code: string, language: string): CodePart[] | null {
  const name = language.toLowerCase()
  if (!lowlight.registered(name)) return null
  const parts: [string, CodeKind | null][] = []
  collect(lowlight.highlight(name, code), null, parts)
  return parts
}

interface HighlightNode {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: readonly HighlightNode[]
}

/** Flattens the tree: the innermost known scope gives the colour. Neighbours of one colour are joined. */
function collect(
  node: HighlightNode,
  outer: CodeKind | null,
  parts: [string, CodeKind | null][],
): void {
  const kind = kindOf(node) ?? outer
  if (node.value !== undefined) {
    const last = parts.at(-1)
    if (last && last[1] === kind) last[0] += node.value
    else parts.push([node.value, kind])
  }
  for (const child of node.children ?? []) collect(child, kind, parts)
}

function kindOf({ properties }: HighlightNode): CodeKind | null {
  if (!Array.isArray(properties?.className)) return null
  for (const name of properties.className) {
    const kind = kindOfScope.get(String(name).replace('hljs-', ''))
    if (kind !== undefined) return kind
  }
  return null
}
