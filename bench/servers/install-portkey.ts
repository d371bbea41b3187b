/**
 * Portkey's gateway as the peer of the benches: fetched on demand into the cache, because nothing else of
 * the project needs its 95 packages. Its scripts are not run.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from '../../scripts/setup/cache.mjs'
import { npmEnvironment } from '../../scripts/setup/npm.mjs'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { runCommand } from '../../scripts/setup/run-command.mjs'

export const portkeyVersion = '1.15.2'
/** With the one a plain install brings, every stream fails with "immutable". */
const honoServerVersion = '1.14.1'
const installLimitMs = 180_000

/**
 * @returns the file that starts the gateway
 * @throws Error when npm cannot fetch it, with npm's own words
 */
export async function installPortkey(): Promise<string> {
  const folder = join(findCacheDir(process.env), 'bench', `portkey-${portkeyVersion}`)
  await makeOnce({ path: folder, make: installInto })
  return join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
}

async function installInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = {
    private: true,
    dependencies: { '@portkey-ai/gateway': portkeyVersion },
    overrides: { '@hono/node-server': honoServerVersion },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await runCommand({
    command: 'npm',
    args: ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'],
    cwd: folder,
    env: npmEnvironment(process.env),
    timeoutMs: installLimitMs,
  })
}
