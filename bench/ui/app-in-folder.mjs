// The app in the folder MODELPORT_E2E_APP_DIR, started by another app that measures or tests it.
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env['MODELPORT_E2E_APP_DIR'] ?? ''
const manifest =
  /** @type {{ name: string, productName?: string, version: string, main: string }} */ (
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  )

/** Takes its folder, version and name: what Electron's own default app does for a folder. */
export function becomeApp() {
  // Absent from Electron's published types.
  const startedApp =
    /** @type {Electron.App & { setAppPath: (path: string) => void, setVersion: (version: string) => void }} */ (
      app
    )
  startedApp.setAppPath(folder)
  startedApp.setVersion(manifest.version)
  startedApp.setName(manifest.productName ?? manifest.name)
}

/** Runs its first file. */
export async function startApp() {
  await import(pathToFileURL(path.join(folder, manifest.main)).href)
}
