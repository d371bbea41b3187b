// What the fallback Electron runs first: `electron [options] FOLDER` starts the app in FOLDER, as an official
// Electron's default app does.
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const folderArgument = process.argv.slice(1).find((argument) => !argument.startsWith('-'))
if (folderArgument === undefined) {
  process.stderr.write('usage: electron [options] FOLDER\n')
  process.exit(2)
}

const folder = path.resolve(folderArgument)
const manifest =
  /** @type {{ name: string, productName?: string, version?: string, main: string }} */ (
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  )
// Absent from Electron's published types: its own default app is the only caller.
const defaultApp =
  /** @type {Electron.App & { setAppPath: (path: string) => void, setVersion: (version: string) => void }} */ (
    app
  )
defaultApp.setAppPath(folder)
if (manifest.version !== undefined) defaultApp.setVersion(manifest.version)
defaultApp.setName(manifest.productName ?? manifest.name)
Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true })
// Awaited: Electron holds `ready` back until this module is done, and some calls are allowed only before it.
await import(pathToFileURL(path.join(folder, manifest.main)).href)
