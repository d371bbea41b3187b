// Run under Node 24 (which @electron/fuses and @electron/asar need) as `finish-fallback.mjs FOLDER`: turns the
// unpacked fallback into a general Electron.
import { createPackage } from '@electron/asar'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: finish-fallback.mjs FOLDER')

await flipFuses(join(folder, 'electron'), {
  version: FuseVersion.V1,
  // Playwright starts the main process with --inspect=0.
  [FuseV1Options.EnableNodeCliInspectArguments]: true,
  // Its own snapshot holds the other product's code.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
})
// As a folder `resources/app` it would shadow the app.asar of a packaged app.
await createPackage(
  fileURLToPath(new URL('fallback-default-app', import.meta.url)),
  join(folder, 'resources', 'default_app.asar'),
)
