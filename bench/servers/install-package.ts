/** A package to compare with, fetched from npm into the cache on first use. Its scripts are not run. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeOnce } from '../../scripts/setup/cache.mjs'
import { npmEnvironment } from '../../scripts/setup/npm.mjs'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { runCommand } from '../../scripts/setup/run-command.mjs'

const installLimitMs = 180_000

interface Package {
  name: string
  version: string
  /** Packages that replace some of its dependencies. */
  overrides?: Readonly<Record<string, string>>
}

/**
 * @param as  the name of its folder, to which the version is added @returns the folder of the package @throws Error
 * when npm cannot fetch it, with npm's message
 */
export async function installPackage(as: string, wanted: Package): Promise<string> {
  const { name, version, overrides } = wanted
  const path = join(findCacheDir(process.env), 'bench', `${as}-${version}`)
  await installPackages(path, { dependencies: { [name]: version }, overrides })
  return join(path, 'node_modules', ...name.split('/'))
}

interface Manifest {
  dependencies: Readonly<Record<string, string>>
  overrides?: Readonly<Record<string, string>> | undefined
}

/** Installs packages into `<path>/node_modules` on first use. @throws Error as above */
export async function installPackages(
  path: string,
  manifest: Manifest,
  limitMs = installLimitMs,
): Promise<void> {
  const make = async (folder: string) => {
    await mkdir(folder, { recursive: true })
    const text = JSON.stringify({ private: true, ...manifest })
    await writeFile(join(folder, 'package.json'), text)
    await runCommand({
      command: 'npm',
      args: ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'],
      cwd: folder,
      env: npmEnvironment(process.env),
      timeoutMs: limitMs,
    })
  }
  await makeOnce({ path, make })
}
