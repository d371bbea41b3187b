/** A fresh Debian root that holds the base system and nothing else. */
import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../setup/run-command.mjs'

export const enterRoot = fileURLToPath(new URL('enter-root.sh', import.meta.url))
const suite = process.env['MODELPORT_DEBIAN_SUITE'] ?? 'bookworm'

/** @param {string} root  an empty folder */
export async function makeDebianRoot(root) {
  await chmod(root, 0o755)
  await runCommand({ command: 'mmdebstrap', args: ['--quiet', '--variant=minbase', suite, root] })
  const [release] = (await runInRoot(root, ['cat', '/etc/debian_version'])).split('\n')
  const packages = await runInRoot(root, ['dpkg-query', '-W', '-f', '.'])
  return { detail: `A root with Debian ${release}: ${packages.length} packages` }
}

/**
 * Runs a command in the root, as root.
 * @param {string} root
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} its standard output
 */
export function runInRoot(root, command, env = {}) {
  return runCommand({
    command: enterRoot,
    args: ['pivot', root, ...command],
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      DEBIAN_FRONTEND: 'noninteractive',
      ...env,
    },
  })
}
