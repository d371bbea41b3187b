// Starts the app in the folder MODELPORT_E2E_APP_DIR, but holds Electron's `ready` back until Playwright is connected.
// Playwright does that by itself only for an Electron it finds in node_modules. Without it one start in some twenty
// hung, and one `app.evaluate` in some fifteen lost its answer (measured on two busy cores; none in fifty with it).
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env['MODELPORT_E2E_APP_DIR'] ?? ''
const manifest =
  /** @type {{ name: string, productName?: string, version: string, main: string }} */ (
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  )
// Absent from Electron's published types; what its own default app does for a folder.
const startedApp =
  /** @type {Electron.App & { setAppPath: (path: string) => void, setVersion: (version: string) => void }} */ (
    app
  )
startedApp.setAppPath(folder)
startedApp.setVersion(manifest.version)
startedApp.setName(manifest.productName ?? manifest.name)

// Playwright steers the app through its debugger, which a normal start refuses (src/main/debugging.ts).
Reflect.set(globalThis, Symbol.for('modelport.debuggable'), true)

// Its own place, where nothing is promised to importers: `exports` of the package leaves it out.
const require = createRequire(import.meta.url)
require('../../node_modules/playwright-core/lib/server/electron/loader.js')
await import(pathToFileURL(path.join(folder, manifest.main)).href)
