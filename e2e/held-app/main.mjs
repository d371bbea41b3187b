// Starts the app in the folder MODELPORT_E2E_APP_DIR, but holds Electron's `ready` back until Playwright is connected.
// Playwright does that by itself only for an Electron it finds in node_modules. Without it one start in some twenty
// hung, and one `app.evaluate` in some fifteen lost its answer (measured on two busy cores; none in fifty with it).
import { Notification, Tray } from 'electron'
import { createRequire } from 'node:module'
import { becomeApp, startApp } from '../../bench/ui/app-in-folder.mjs'

becomeApp()

// Electron has no way to read a tray's menu or the notifications that were shown (e2e/desktop-parts.ts reads these).
const shown = {
  trayMenu: /** @type {Electron.Menu | null} */ (null),
  notices: /** @type {string[]} */ ([]),
}
Reflect.set(globalThis, Symbol.for('modelport.shown'), shown)
const setContextMenu = Reflect.get(Tray.prototype, 'setContextMenu')
Reflect.set(
  Tray.prototype,
  'setContextMenu',
  /** @this {Electron.Tray} @param {Electron.Menu | null} menu */ function (menu) {
    shown.trayMenu = menu
    setContextMenu.call(this, menu)
  },
)
// No notification daemon runs here.
Reflect.set(Notification, 'isSupported', () => true)
Reflect.set(
  Notification.prototype,
  'show',
  /** @this {Electron.Notification} */ function () {
    shown.notices.push(`${this.title}: ${this.body}`)
  },
)

// Playwright steers the app through its debugger, which a normal start refuses (src/main/debugging.ts).
Reflect.set(globalThis, Symbol.for('modelport.debuggable'), true)

// Its own place, where nothing is promised to importers: `exports` of the package leaves it out.
const require = createRequire(import.meta.url)
require('../../node_modules/playwright-core/lib/server/electron/loader.js')
// A day takes minutes with it: e2e/day.spec.ts.
if (process.env['MODELPORT_FAST_CLOCK']) await import('../../torture/connections/fast-clock.mjs')
await startApp()
