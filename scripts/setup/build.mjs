import { existsSync } from 'node:fs'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { node24Path, repositoryDir } from './paths.mjs'
import { reasonOf, SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

// Deleted before a build and written after it, so an interrupted build is never reused.
const stampFile = join(repositoryDir, 'out', '.built')

const inputs = [
  'src',
  'resources',
  'electron.vite.config.ts',
  'scripts/one-byte-sources.ts',
  'package.json',
  'package-lock.json',
]

/**
 * Builds the app unless out/ is newer than everything it is built from.
 * @returns {Promise<import('./progress.mjs').StepResult<void>>}
 */
export async function ensureBuild() {
  if (await isFresh()) return { value: undefined, already: true, detail: 'Build is up to date' }
  await discardBuild()
  const startedAt = new Date()
  try {
    await runCommand({
      command: node24Path,
      args: [
        join(repositoryDir, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
        'build',
      ],
      cwd: repositoryDir,
    })
  } catch (error) {
    throw new SetupError(`The build failed: ${reasonOf(error)}`, {
      wayOut: 'see the message above; `npm run check` names type errors.',
      cause: error,
    })
  }
  // The time the build started, so that a file saved during the build is built the next time.
  await writeFile(stampFile, '')
  await utimes(stampFile, startedAt, startedAt)
  return { value: undefined, detail: 'Build' }
}

/**
 * Makes the next `ensureBuild` build again. Call this before `electron-vite dev`, which also writes into out/ and
 * may write debug builds.
 */
export async function discardBuild() {
  await rm(stampFile, { force: true })
}

async function isFresh() {
  if (!existsSync(stampFile) || !existsSync(join(repositoryDir, 'out', 'main', 'index.js')))
    return false
  const builtMs = (await stat(stampFile)).mtimeMs
  for (const input of inputs) {
    if ((await findNewestMs(join(repositoryDir, input))) > builtMs) return false
  }
  return true
}

/**
 * The time of the latest change in a file, or in a folder and its contents. A folder counts too, because deleting
 * a file changes it.
 * @param {string} path
 * @returns {Promise<number>} 0 when it does not exist
 */
async function findNewestMs(path) {
  if (!existsSync(path)) return 0
  const status = await stat(path)
  if (!status.isDirectory()) return status.mtimeMs
  const names = await readdir(path)
  return Math.max(
    status.mtimeMs,
    ...(await Promise.all(names.map((name) => findNewestMs(join(path, name))))),
  )
}
