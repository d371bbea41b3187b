/**
 * Takes the formulas out of a markdown text before it is parsed, because markdown would read their backslashes,
 * underscores and asterisks as its own. `\(…\)` is a formula in a line; `\[…\]` and `$$…$$` stand on their own line.
 * `$…$` is a formula in a line by Pandoc's rule: no space after the first sign or before the second, and no digit after
 * it, so that prices stay text.
 */
export interface Formula {
  tex: string
  isDisplay: boolean
}

// Private-use characters, which markdown treats as letters.
const open = '\uE000'
const close = '\uE001'

const pattern =
  // Code and escaped backslashes come first, so that formulas inside them stay text.
  /(?<skipped>(?<ticks>`+)(?!`)[\s\S]*?[^`]\k<ticks>(?!`)|\\[\\$])|\\\((?<inline>[\s\S]+?)\\\)|\\\[(?<display>[\s\S]+?)\\\]|\$\$(?<dollars>[^$]+?)\$\$|(?<!\$)\$(?![\s$])(?<single>(?:\\[^\n]|[^$\\`])+)(?<!\s)\$(?![\d$])/g

interface TakenFormulas {
  text: string
  formulas: readonly Formula[]
  /** The place in `text` of a place in the markdown; of one in a formula, the end of its mark. */
  placeOf: (at: number) => number
}

/** The text with a mark in place of each formula. */
export function takeFormulas(markdown: string): TakenFormulas {
  if (!/\\[([]|\$/.test(markdown)) return { text: markdown, formulas: [], placeOf: (at) => at }
  const formulas: Formula[] = []
  const taken: { start: number; end: number; mark: number }[] = []
  const text = markdown.replace(pattern, (...match) => {
    // The last argument of the callback is the object of named groups.
    const groups = match.at(-1) as Partial<
      Record<'skipped' | 'inline' | 'display' | 'dollars' | 'single', string>
    >
    if (groups.skipped !== undefined) return groups.skipped
    const inline = groups.inline ?? groups.single
    const tex = inline ?? groups.display ?? groups.dollars ?? ''
    formulas.push({ tex: tex.trim(), isDisplay: inline === undefined })
    const mark = `${open}${formulas.length - 1}${close}`
    const start = match.at(-3) as number
    taken.push({ start, end: start + match[0].length, mark: mark.length })
    return mark
  })
  const placeOf = (at: number) =>
    taken.reduceRight((place, { start, end, mark }) => {
      if (at <= start) return place
      return place + start + mark - Math.min(end, at)
    }, at)
  return { text, formulas, placeOf }
}

/** A node of the HTML tree, as far as formulas need it. */
interface HtmlNode {
  type: string
  value?: string
  children?: HtmlNode[]
  tagName?: string
  properties?: Record<string, unknown>
}

/** A rehype plugin: puts a `var` element, which markdown never makes, in place of each mark. */
export function placeFormulas(formulas: readonly Formula[]) {
  return () =>
    (tree: HtmlNode): void =>
      placeIn(tree, formulas)
}

function placeIn(node: HtmlNode, formulas: readonly Formula[]): void {
  if (!node.children) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text' && child.value?.includes(open)) return split(child.value, formulas)
    placeIn(child, formulas)
    return child
  })
}

function split(text: string, formulas: readonly Formula[]): HtmlNode[] {
  return text.split(/(\uE000\d+\uE001)/).flatMap((part): HtmlNode[] => {
    const formula = part.startsWith(open) ? formulas[Number(part.slice(1, -1))] : undefined
    if (formula) {
      const properties = { dataTex: formula.tex, dataDisplay: formula.isDisplay }
      return [{ type: 'element', tagName: 'var', properties, children: [] }]
    }
    return part === '' ? [] : [{ type: 'text', value: part }]
  })
}
