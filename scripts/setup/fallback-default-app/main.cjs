// What the fallback Electron runs first: `electron [options] FOLDER` starts the app in FOLDER, as an official
// Electron's default app does.
const { app } = require('electron')
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { pathToFileURL } = require('node:url')

const folderArgument = process.argv.slice(1).find((argument) => !argument.startsWith('-'))
if (folderArgument === undefined) {
  process.stderr.write('usage: electron [options] FOLDER\n')
  process.exit(2)
}

const folder = resolve(folderArgument)
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
// Absent from Electron's published types: its own default app is the only caller.
const appWithPath = /** @type {Electron.App & { setAppPath: (path: string) => void }} */ (app)
appWithPath.setAppPath(folder)
app.setName(manifest.productName ?? manifest.name)
import(pathToFileURL(join(folder, manifest.main ?? 'index.js')).href).catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
