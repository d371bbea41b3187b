import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the checkout, without a trailing separator. */
export const repositoryDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** The project's own Node 24, present after the npm dependencies are installed. */
export const node24Path = join(
  repositoryDir,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/**
 * Folder for everything that is downloaded or built once per machine: outside the repository, safe to delete.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} `$MODELPORT_CACHE_DIR`, else `$XDG_CACHE_HOME/modelport`, else `~/.cache/modelport`
 */
export function findCacheDir(env) {
  if (env['MODELPORT_CACHE_DIR']) return env['MODELPORT_CACHE_DIR']
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'modelport')
}

/**
 * A path in its short form.
 * @param {string} path
 * @returns {string} the path with the home folder as `~`
 */
export function displayPath(path) {
  const home = homedir()
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path
}
