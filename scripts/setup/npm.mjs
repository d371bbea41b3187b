import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { checkHash } from './pinned-hash.mjs'
import { repositoryDir } from './paths.mjs'
import { runCommand } from './run-command.mjs'

/**
 * The environment for the machine's own npm. `npm start` puts node_modules/.bin first on the PATH; `npm ci` deletes
 * that folder, so npm must not run on the Node inside it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment(env) {
  const path = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter)
  return { ...env, PATH: path }
}

/**
 * Downloads one npm package as a tarball, through npm and so from whichever registry npm is set up for.
 * @param {{ spec: string, integrity: string, intoDir: string }} tarball `spec` as name@version
 * @returns {Promise<string>} the tarball's path
 * @throws {import('./progress.mjs').SetupError} when its hash is not the pinned one
 */
export async function downloadNpmPackage({ spec, integrity, intoDir }) {
  const stdout = await runCommand({
    command: 'npm',
    args: ['pack', spec, '--pack-destination', intoDir, '--ignore-scripts', '--loglevel=error'],
    env: npmEnvironment(process.env),
    cwd: intoDir,
  })
  const tarball = join(intoDir, stdout.trim().split('\n').at(-1) ?? '')
  await checkHash(tarball, integrity)
  return tarball
}

/**
 * The locked version of a dependency.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function readLockedVersion(name) {
  // npm's own file, format 3.
  const lockfile = /** @type {import('../lockfile-platforms.mjs').Lockfile} */ (
    JSON.parse(await readFile(join(repositoryDir, 'package-lock.json'), 'utf8'))
  )
  const version = lockfile.packages[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`package-lock.json has no ${name}`)
  return version
}
