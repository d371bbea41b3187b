import type Axe from 'axe-core'
import type { ModelportBridge } from '../src/shared/ipc.ts'

declare global {
  // The properties that the preload adds to the page's global object, for functions evaluated in the page.
  var modelport: ModelportBridge
  // Added to the page by the test of all pages.
  var axe: typeof Axe
}
