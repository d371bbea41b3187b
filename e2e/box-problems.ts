/** What a person could not see or reach, found by the boxes of the elements on screen. */
import type { Page } from '@playwright/test'

/** Adds what the checks below share to the page. */
export async function addBoxTools(window: Page): Promise<void> {
  await window.evaluate(() => {
    const root = () => {
      const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]')
      return dialogs[dialogs.length - 1] ?? document.body
    }
    const shown = (selector: string) =>
      [...root().querySelectorAll(selector)].filter((element) => {
        const { width, height } = element.getBoundingClientRect()
        const isVisible = element.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
        })
        // Texts for screen readers only are one pixel large.
        return isVisible && width > 1 && height > 1
      })
    const hasText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
    globalThis.boxTools = {
      root,
      shown,
      texts: () => shown('*').filter(hasText),
      nameOf(element) {
        const text = element.getAttribute('aria-label') ?? element.textContent.trim()
        return `${element.tagName.toLowerCase()} “${text.replaceAll(/\s+/g, ' ').slice(0, 40)}”`
      },
    }
  })
}

/**
 * Finds, in a page or in the dialog that is open over it: controls and headings that are covered or cannot be scrolled
 * into view, texts that are cut, squeezed or drawn over each other, and a page that is wider than its window.
 */
export async function boxProblems(window: Page): Promise<string[]> {
  return [
    ...(await unreachable(window)),
    ...(await cutTexts(window)),
    ...(await overlappingTexts(window)),
  ]
}

function unreachable(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    // A click on a label reaches its control.
    const isReached = (element: Element, hit: Element) => {
      const label = element.closest('label')
      const isLabel = label !== null && label === hit.closest('label')
      return element.contains(hit) || hit.contains(element) || isLabel
    }
    const controls =
      'a[href], button, input, select, textarea, summary, h1, h2, h3, [role="tab"], [role="option"], [role="menuitem"]'
    return boxTools.shown(controls).flatMap((element) => {
      element.scrollIntoView({ block: 'center', inline: 'nearest' })
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
      const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
      const hit = document.elementFromPoint(x, y)
      const isOutside = right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight
      if (isOutside || hit === null)
        return [`cannot be scrolled into view: ${boxTools.nameOf(element)}`]
      if (isReached(element, hit)) return []
      return [`covered: ${boxTools.nameOf(element)} by ${boxTools.nameOf(hit)}`]
    })
  })
}

function cutTexts(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const rightOf = (element: Element) => element.getBoundingClientRect().right
    const [widest] = boxTools.shown('*').toSorted((a, b) => rightOf(b) - rightOf(a))
    const tooWide =
      scrollWidth > clientWidth && widest
        ? [`the page is wider than the window: ${boxTools.nameOf(widest)}`]
        : []
    const problems = boxTools.texts().flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const { overflowX, textOverflow } = getComputedStyle(element)
      const sticksOut = element.scrollWidth - element.clientWidth
      const isClipped = overflowX === 'hidden' || overflowX === 'clip'
      const name = boxTools.nameOf(element)
      if (element.textContent.trim().length >= 4 && width < 24 && height > 60)
        return [`squeezed: ${name}`]
      if (isClipped && sticksOut > 1 && textOverflow !== 'ellipsis') return [`cut: ${name}`]
      // Names may end in dots where a title has the whole; a figure or the name of one may not.
      const isFigure = element.matches('dt, dd, th, td') && element.closest('[title]') === null
      if (isClipped && sticksOut > 1 && isFigure) return [`cut figure: ${name}`]
      const isControl = element.matches('button, [role="tab"], a[href]')
      return isControl && overflowX === 'visible' && sticksOut > 2 ? [`too narrow: ${name}`] : []
    })
    // The figures of a chart, and a list beside an open pane, may scroll.
    const isWhole = innerWidth >= 900 && document.querySelector('main aside') === null
    const tables = boxTools.shown('[role="region"]:not(figure *):has(table, [role="table"])')
    const sideways = tables.flatMap((table) =>
      isWhole && table.scrollWidth > table.clientWidth + 1
        ? [`scrolls sideways: ${boxTools.nameOf(table)}`]
        : [],
    )
    return [...tooWide, ...problems, ...sideways]
  })
}

function overlappingTexts(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
    const common = (one: Box, other: Box): Box => {
      const left = Math.max(one.left, other.left)
      const top = Math.max(one.top, other.top)
      const right = Math.max(left, Math.min(one.right, other.right))
      return { left, top, right, bottom: Math.max(top, Math.min(one.bottom, other.bottom)) }
    }
    /** Asks once for each element: many texts have the same elements around them. */
    const remembered = <Value>(ask: (element: Element) => Value) => {
      const known = new Map<Element, Value>()
      return (element: Element): Value => {
        const value = known.get(element) ?? ask(element)
        known.set(element, value)
        return value
      }
    }
    /** The part of the window in which the content of an element can be seen. */
    const clipOf = remembered((element): Box => {
      const outer = element.parentElement
      const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      const around = outer ? clipOf(outer) : whole
      const isClipping = getComputedStyle(element).overflowX !== 'visible'
      return isClipping ? common(around, element.getBoundingClientRect()) : around
    })
    const root = boxTools.root()
    // What floats above the page covers it on purpose.
    const isFloating = remembered((element): boolean => {
      if (element === root) return false
      const isAbove = ['absolute', 'fixed', 'sticky'].includes(getComputedStyle(element).position)
      const outer = element.parentElement
      return isAbove || (outer !== null && isFloating(outer))
    })
    const linesOf = (element: Element) =>
      [...element.childNodes].flatMap((node) => {
        if (node.nodeType !== Node.TEXT_NODE) return []
        const range = document.createRange()
        range.selectNodeContents(node)
        return [...range.getClientRects()]
      })
    const lines = boxTools.texts().flatMap((element) => {
      if (isFloating(element)) return []
      const clip = clipOf(element)
      return linesOf(element).map((line) => ({ element, box: common(line, clip) }))
    })
    const visible = lines
      .filter(({ box }) => box.right > box.left && box.bottom > box.top)
      .toSorted((one, other) => one.box.top - other.box.top)
    const problems: string[] = []
    for (const [index, upper] of visible.entries()) {
      for (let at = index + 1; at < visible.length; at += 1) {
        const lower = visible[at]
        // The ones after it begin even lower.
        if (!lower || lower.box.top >= upper.box.bottom - 4) break
        const { left, right, top, bottom } = common(upper.box, lower.box)
        if (upper.element === lower.element || right - left <= 2 || bottom - top <= 4) continue
        const names = [upper, lower].map(({ element }) => boxTools.nameOf(element))
        problems.push(`drawn over each other: ${names.join(', ')}`)
      }
    }
    return [...new Set(problems)]
  })
}

/** Finds marks that only a background shows, and that forced colours would remove. */
export function forcedColorProblems(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    const selected = document.querySelectorAll(
      '[aria-current="page"], [aria-selected="true"], [aria-current="true"]',
    )
    const unmarked = [...selected].filter((element) => {
      const { outlineStyle, borderBottomWidth } = getComputedStyle(element)
      return element.checkVisibility() && outlineStyle === 'none' && borderBottomWidth === '0px'
    })
    const dots = [...document.querySelectorAll('[class*="rounded-full"]')].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      const { forcedColorAdjust, borderTopWidth } = getComputedStyle(element)
      const isDot = width > 1 && width <= 12 && height <= 12 && element.childElementCount === 0
      return isDot && forcedColorAdjust !== 'none' && borderTopWidth === '0px'
    })
    return [...unmarked, ...dots].map(
      (element) => `lost with forced colours: ${element.outerHTML.slice(0, 120)}`,
    )
  })
}

/** Finds animations that take time although reduced motion is on. */
export function motionProblems(window: Page): Promise<string[]> {
  return window.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 10)
      .map((animation) => `moves: ${animation.id || animation.constructor.name}`),
  )
}
