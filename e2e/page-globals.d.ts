import type { ModelportBridge } from '../src/shared/ipc.ts'

declare global {
  // What the preload puts on the page's global object, for functions that are evaluated there.
  var modelport: ModelportBridge
}
