/** Builds the npm package of the headless service: the command `modelport`, without Electron. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npmEnvironment } from '../scripts/setup/npm.mjs'
import { repositoryDir } from '../scripts/setup/paths.mjs'
import { runCommand } from '../scripts/setup/run-command.mjs'
import { writeInstallationList } from './installation-list.mjs'

const taken = ['bin', 'LICENSE', 'THIRD-PARTY-NOTICES.md', 'README.md']

/**
 * @param {{ outDir: string }} options
 * @returns {Promise<string>} the tarball's path
 */
export async function buildHeadlessPackage({ outDir }) {
  const root = join(outDir, 'headless')
  await rm(root, { recursive: true, force: true })
  await mkdir(join(root, 'out'), { recursive: true })
  for (const name of taken)
    await cp(join(repositoryDir, name), join(root, name), { recursive: true })
  await cp(join(repositoryDir, 'out', 'main'), join(root, 'out', 'main'), { recursive: true })
  await removeDesktopFiles(join(root, 'out', 'main'))
  await writeFile(join(root, 'package.json'), `${JSON.stringify(await description(), null, 2)}\n`)
  await writeShrinkwrap(root)
  await writeInstallationList(root)
  const packed = await runCommand({
    command: 'npm',
    args: ['pack', '--pack-destination', outDir, '--ignore-scripts', '--loglevel=error'],
    cwd: root,
    env: npmEnvironment(process.env),
  })
  await rm(root, { recursive: true })
  return join(outDir, packed.trim().split('\n').at(-1) ?? '')
}

/**
 * Pins every dependency with its hash, as the lockfile does, for `npm ci` in the unpacked package. An installed package's
 * `overrides` have no effect, but here they leave out 600 MB of libraries for GPUs.
 * @param {string} root
 */
async function writeShrinkwrap(root) {
  const lockfile = join(root, 'package-lock.json')
  await cp(join(repositoryDir, 'package-lock.json'), lockfile)
  await runCommand({
    command: 'npm',
    args: [
      'install',
      '--package-lock-only',
      '--ignore-scripts',
      '--omit-lockfile-registry-resolved',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    cwd: root,
    env: npmEnvironment(process.env),
  })
  await rename(lockfile, join(root, 'npm-shrinkwrap.json'))
}

/** Everything that does not import Electron is shared with the service. @param {string} folder */
async function removeDesktopFiles(folder) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue
    const source = await readFile(join(folder, name), 'utf8')
    if (/\bfrom ?["']electron["']/.test(source)) await rm(join(folder, name))
  }
}

/** The native packages at their locked versions; everything else is bundled. */
async function description() {
  const own = JSON.parse(await readFile(join(repositoryDir, 'package.json'), 'utf8'))
  const { name, version, license, bin, type, dependencies, overrides } = own
  return {
    name,
    version,
    description: `${own.description} The headless service and its command line.`,
    license,
    type,
    bin,
    dependencies,
    overrides,
    engines: { node: '>=22.12' },
  }
}
