/** Clients from their registries at exact versions, in the cache folder: each with its own packages. */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { installPackages } from '../bench/servers/install-package.ts'
import { makeOnce } from '../scripts/setup/cache.mjs'
import { runCommand } from '../scripts/setup/run-command.mjs'
import type { Client, Packages } from './client.ts'

const installLimitMs = 600_000

/** @returns the folder @throws Error when a registry cannot be reached, with its tool's message */
export async function installClient(
  { id, packages }: Pick<Client, 'id' | 'packages'>,
  cacheDir: string,
): Promise<string> {
  const path = join(cacheDir, 'clients', `${id}-${fingerprint(packages)}`)
  const install = packages.from === 'npm' ? installFromNpm : installFromPyPi
  await install(path, packages.versions)
  return path
}

function fingerprint(packages: Packages): string {
  return hash('sha256', JSON.stringify(packages)).slice(0, 12)
}

async function installFromNpm(path: string, versions: Packages['versions']): Promise<void> {
  await installPackages(path, { dependencies: versions }, installLimitMs)
}

/**
 * A virtual environment names its own folder in some of its files. Only its `python` and modules are used, which
 * work in the final folder, too.
 */
async function installFromPyPi(path: string, versions: Packages['versions']): Promise<void> {
  const make = async (folder: string) => {
    await runCommand({ command: 'python3', args: ['-m', 'venv', folder] })
    const wanted = Object.entries(versions).map(([name, version]) => `${name}==${version}`)
    await runCommand({
      command: join(folder, 'bin', 'python'),
      args: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted],
      timeoutMs: installLimitMs,
    })
  }
  await makeOnce({ path, make })
}
