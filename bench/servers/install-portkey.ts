/** Portkey's gateway, which the benches compare with. Only the benches need its 95 packages. */
import { join } from 'node:path'
import { installPackage } from './install-package.ts'

export const portkeyVersion = '1.15.2'
/** Version to install instead of the default, with which every stream fails with "immutable". */
const honoServerVersion = '1.14.1'

/** @returns the file that starts the gateway @throws Error when npm cannot fetch it, with npm's message */
export async function installPortkey(): Promise<string> {
  const folder = await installPackage('portkey', {
    name: '@portkey-ai/gateway',
    version: portkeyVersion,
    overrides: { '@hono/node-server': honoServerVersion },
  })
  return join(folder, 'build', 'start-server.js')
}
