import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { node24Path, repositoryDir } from './paths.mjs'
import { findRememberedFailure, forgetFailure, rememberFailure } from './remembered-failure.mjs'
import { CommandError, runCommand } from './run-command.mjs'

// A closed network refuses or drops the first packet, so five seconds are enough to tell. If the server answers,
// 100 MB may take longer.
const reachLimitMs = 5_000
const downloadLimitMs = 5 * 60_000

/**
 * Lets the package `electron` download its binary, which it checks against its own checksums. Tried once a day.
 * @param {{ cacheDir: string, version: string }} options
 * @returns {Promise<string>} the reason of a failure; empty on success
 */
export async function downloadOfficialElectron({ cacheDir, version }) {
  const name = `electron-${version}-download`
  const remembered = await findRememberedFailure(cacheDir, name)
  if (remembered !== null) return remembered
  const repositoryLock = createHash('sha256').update(repositoryDir).digest('hex').slice(0, 16)
  return withLock(
    join(cacheDir, 'locks', `electron-${repositoryLock}.lock`),
    async (holdAlsoFor) => {
      const reason = await tryDownload(holdAlsoFor)
      if (reason) await rememberFailure(cacheDir, name, reason)
      else await forgetFailure(cacheDir, name)
      return reason
    },
  )
}

/** @param {(pid: number) => void} holdAlsoFor */
async function tryDownload(holdAlsoFor) {
  const env = {
    ...process.env,
    // @electron/get and Node's fetch ignore proxy variables by default.
    ELECTRON_GET_USE_PROXY: 'true',
    NODE_USE_ENV_PROXY: '1',
  }
  try {
    await runCommand({
      command: node24Path,
      args: ['--input-type=module', '-e', reachServer],
      env,
      timeoutMs: reachLimitMs + 2_000,
    })
    await runCommand({
      command: node24Path,
      args: [join(repositoryDir, 'node_modules', 'electron', 'install.js')],
      env,
      timeoutMs: downloadLimitMs,
      onSpawn: holdAlsoFor,
    })
    return ''
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return error.output.split('\n').find((line) => line.trim() !== '') ?? error.message
  }
}

const reachServer = `
const server = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || 'https://github.com/'
try {
  await fetch(server, { method: 'HEAD', signal: AbortSignal.timeout(${reachLimitMs}) })
} catch (error) {
  console.error(new URL(server).host + ' cannot be reached: ' + (error.cause?.message ?? error.message))
  process.exit(1)
}`
