/** Converts TeX to a tree of MathML. Runs in the rendering worker. */
import temml from 'temml'

/** A MathML element that can be posted between threads, or a text. */
export type MathNode =
  | string
  | {
      name: string
      attributes: Readonly<Record<string, string>>
      classes: string
      style: Readonly<Record<string, string>>
      children: readonly MathNode[]
    }

/** The fields of Temml's own nodes. */
interface TemmlNode {
  type?: string
  text?: string
  attributes?: Record<string, unknown>
  classes?: readonly string[]
  style?: Record<string, unknown>
  children?: readonly TemmlNode[]
}

/** @returns null when the text is not valid TeX */
export function renderFormula(tex: string, isDisplay: boolean): MathNode | null {
  try {
    // The tree instead of markup, which the window would refuse. Its types leave it open.
    // oxlint-disable-next-line no-underscore-dangle -- the library's name
    const tree = temml.__renderToMathMLTree(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      // No links, images, classes or identifiers from an answer.
      trust: false,
      maxExpand: 500,
    }) as TemmlNode
    return toMathNode(tree)
  } catch {
    return null
  }
}

function toMathNode(node: TemmlNode): MathNode {
  if (node.text !== undefined && node.type === undefined) return node.text
  const { type = 'mrow', attributes = {}, classes = [], style = {}, children = [] } = node
  const { style: _text, ...others } = texts(attributes)
  return {
    name: type,
    attributes: others,
    classes: classes.filter(Boolean).join(' '),
    style: texts(style),
    children: children.map(toMathNode),
  }
}

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}
