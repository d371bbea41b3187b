/** Text search in the open page, marked with the CSS Custom Highlight API. */

/** Focuses the page's own search field. @returns whether it has one */
export function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}

/** Most matches to mark. Each is a range that the browser keeps up to date. */
const mostMatches = 1_000

/** The places of a text in an element's visible text, ignoring case. */
export function findMatches(root: Element, text: string): Range[] {
  const wanted = text.toLowerCase()
  const matches: Range[] = []
  if (wanted === '') return matches
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (matches.length < mostMatches && walker.nextNode()) {
    const node = walker.currentNode
    if (!node.parentElement?.checkVisibility({ visibilityProperty: true })) continue
    for (const start of startsOf(wanted, (node.textContent ?? '').toLowerCase())) {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + wanted.length)
      matches.push(range)
    }
  }
  return matches
}

/** The positions at which a text occurs in another, without overlaps. */
export function startsOf(wanted: string, text: string): number[] {
  const starts: number[] = []
  let start = text.indexOf(wanted)
  while (start >= 0) {
    starts.push(start)
    start = text.indexOf(wanted, start + wanted.length)
  }
  return starts
}

/** Marks the matches, and one of them more strongly. */
export function markMatches(matches: readonly Range[], current: number): void {
  CSS.highlights.set('found', new Highlight(...matches))
  const range = matches[current]
  CSS.highlights.set('found-current', range ? new Highlight(range) : new Highlight())
  range?.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

export function unmarkMatches(): void {
  CSS.highlights.delete('found')
  CSS.highlights.delete('found-current')
}
