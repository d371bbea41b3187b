/**
 * Puts the numbers of sources into a parsed text, at the places that they support. The places are those of the markdown source,
 * and the parsed text knows where in it each of its parts was, so that a number never breaks the markup around it.
 */

/** The number of a source at a place in a text, and the page that it links to. */
export interface SourceMark {
  /** Characters before it: of the answer, of one block, or of that block without its formulas. */
  at: number
  number: number
  title: string
  address: string
}

export const noMarks: readonly SourceMark[] = []

/** The marks from one place to another, counted from the first; a mark at an end belongs to what is before it. */
export function marksBetween(
  marks: readonly SourceMark[],
  from: number,
  to: number,
): readonly SourceMark[] {
  const here = marks.filter(({ at }) => (at > from || from === 0) && at <= to)
  if (here.length === 0) return noMarks
  return from === 0 ? here : here.map((mark) => ({ ...mark, at: mark.at - from }))
}

/** The marks of each of some parts of a text, which begin at these places. */
export function marksOfParts(
  marks: readonly SourceMark[],
  starts: readonly number[],
): readonly (readonly SourceMark[])[] {
  return starts.map((start, index) => {
    const here = marksBetween(marks, index === 0 ? 0 : start, starts[index + 1] ?? Infinity)
    return index === 0 && start > 0 && here.length > 0
      ? here.map((mark) => ({ ...mark, at: Math.max(0, mark.at - start) }))
      : here
  })
}

/** The marks in a text whose line ends are one character each, as the splitter of blocks makes them. */
export function withShortLineEnds(
  marks: readonly SourceMark[],
  text: string,
): readonly SourceMark[] {
  if (marks.length === 0 || !text.includes('\r\n')) return marks
  return marks.map((mark) => {
    const pairs = text.slice(0, mark.at).split('\r\n').length - 1
    return { ...mark, at: mark.at - pairs }
  })
}

/** A node of the HTML tree, as far as marks need it. */
interface HtmlNode {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
}

/** Where a mark can stand: in a text, or after an element that must stay whole. */
interface Slot {
  parent: HtmlNode
  node: HtmlNode
  start: number
  end: number
}

const wholeElements: ReadonlySet<string> = new Set(['a', 'code', 'img', 'pre'])

/** A rehype plugin: puts a `cite` element, which markdown never makes, at the place of each mark. */
export function placeMarks(marks: readonly SourceMark[]) {
  return () =>
    (tree: HtmlNode): void => {
      const slots = slotsOf(tree)
      const bySlot = Map.groupBy(marks, ({ at }) => slotAt(slots, at))
      for (const [slot, here] of bySlot) {
        if (slot === null) tree.children = [...(tree.children ?? []), ...here.map(cite)]
        else fill(slot, here)
      }
    }
}

function slotsOf(parent: HtmlNode): Slot[] {
  return (parent.children ?? []).flatMap((node) => {
    const isWhole = node.children === undefined || wholeElements.has(node.tagName ?? '')
    if (!isWhole) return slotsOf(node)
    const [start, end] = [node.position?.start.offset, node.position?.end.offset]
    return start === undefined || end === undefined ? [] : [{ parent, node, start, end }]
  })
}

/** The last slot that begins before the place, so that a mark after a sentence stays in its paragraph. */
function slotAt(slots: readonly Slot[], at: number): Slot | null {
  return slots.findLast(({ start }) => start < at) ?? slots[0] ?? null
}

function fill({ parent, node, start, end }: Slot, marks: readonly SourceMark[]): void {
  const { type, value = '' } = node
  // An escape or an entity is longer in the source: then the marks follow the whole text.
  const isExact = type === 'text' && value.length === end - start
  const parts: HtmlNode[] = []
  let from = 0
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const to = isExact ? Math.min(Math.max(mark.at - start, from), value.length) : value.length
    if (type === 'text' && to > from) parts.push({ type, value: value.slice(from, to) })
    from = to
    parts.push(cite(mark))
  }
  if (type !== 'text') parts.unshift(node)
  else if (from < value.length) parts.push({ type, value: value.slice(from) })
  parent.children = (parent.children ?? []).flatMap((one) => (one === node ? parts : one))
}

function cite({ number, title, address }: SourceMark): HtmlNode {
  const properties = { dataNumber: number, dataTitle: title, dataAddress: address }
  return { type: 'element', tagName: 'cite', properties, children: [] }
}
