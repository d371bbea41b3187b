/** The Electron of the lockfile beside the newest of its line. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npmEnvironment } from '../setup/npm.mjs'
import { repositoryDir } from '../setup/paths.mjs'
import { runCommand } from '../setup/run-command.mjs'

/** @param {string} running  the version inside the package */
export async function compareElectron(running) {
  const lockfile = JSON.parse(await readFile(join(repositoryDir, 'package-lock.json'), 'utf8'))
  /** @type {string} */
  const locked = lockfile.packages['node_modules/electron'].version
  const newest = await newestOfLine(locked.split('.')[0] ?? '')
  const inRegistry =
    newest === null ? 'no registry answered' : `newest of its line in the registry ${newest}`
  const inPackage =
    running === locked ? 'as in this package' : `this package has ${running}, for tests only`
  return {
    seen: `lockfile ${locked}, ${inRegistry}; ${inPackage}`,
    isKept: newest === null || newest === locked,
  }
}

/** @param {string} major @returns {Promise<string | null>} null when no registry answers */
async function newestOfLine(major) {
  try {
    const text = await runCommand({
      command: 'npm',
      args: ['view', `electron@${major}`, 'version', '--json', '--loglevel=error'],
      env: npmEnvironment(process.env),
      timeoutMs: 20_000,
    })
    /** @type {string[]} */
    const versions = [JSON.parse(text)].flat()
    return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null
  } catch {
    return null
  }
}
