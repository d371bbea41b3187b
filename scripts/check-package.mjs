/**
 * `npm run package:check [-- PART …]`: starts the packages as a user would, and proves that they are complete and
 * closed. Without parts, all of them; docs/packages.md describes each.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkChecklist } from './package-check/checklist.mjs'
import { checkContainer } from './package-check/container.mjs'
import { checkDebian } from './package-check/debian.mjs'
import { checkNpm } from './package-check/npm.mjs'
import { checkReproducible } from './package-check/reproducible.mjs'
import { checkRpm } from './package-check/rpm.mjs'
import { checkUnit } from './package-check/unit.mjs'
import { checkUnpacked } from './package-check/unpacked.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { print, runLauncher, SetupError } from './setup/progress.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'

const distDir = join(repositoryDir, 'dist')
const unpackedDir = join(distDir, 'linux-unpacked')

/** @typedef {{ distDir: string, unpackedDir: string, cacheDir: string, electronVersion: string }} Built */
/** @type {ReadonlyMap<string, (built: Built) => Promise<void>>} */
const parts = new Map(
  Object.entries({
    unpacked: checkUnpacked,
    checklist: checkChecklist,
    deb: checkDebian,
    rpm: checkRpm,
    npm: checkNpm,
    container: checkContainer,
    unit: checkUnit,
    reproducible: checkReproducible,
  }),
)

await runLauncher(async () => {
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !parts.has(name))
  if (unknown !== undefined)
    throw new SetupError(`There is no part "${unknown}".`, {
      wayOut: `choose from ${[...parts.keys()].join(', ')}.`,
    })
  if (!existsSync(join(unpackedDir, 'modelport'))) await buildPackages()
  const { cacheDir, desktop } = await prepare({ window: true, tests: true })
  if (desktop === null) throw new SetupError('The checks need Electron.')
  const built = { distDir, unpackedDir, cacheDir, electronVersion: desktop.version }
  for (const [name, check] of parts) {
    if (named.length > 0 && !named.includes(name)) continue
    print(`\n${name}`)
    await check(built)
  }
  return 0
})

/** Builds the packages that the parts check. */
async function buildPackages() {
  const args = ['run', 'package', '--', 'dir', 'deb', 'npm']
  const code = await runInForeground({ command: 'npm', args, cwd: repositoryDir })
  if (code !== 0) throw new SetupError('There are no packages to check.')
}
