import type Axe from 'axe-core'
import type { ModelportBridge } from '../src/shared/ipc.ts'

/** Functions in the page that the checks of box-problems.ts share. */
interface BoxTools {
  /** The topmost dialog, or the page. */
  root(): Element
  /** Elements that are on screen or can be scrolled there. */
  shown(selector: string): Element[]
  /** Shown elements that hold text themselves. */
  texts(): Element[]
  nameOf(element: Element): string
}

declare global {
  // The properties that the preload adds to the page's global object, for functions evaluated in the page.
  var modelport: ModelportBridge
  // Added to the page by the test of all pages, as is the next one.
  var axe: typeof Axe
  var boxTools: BoxTools
}
