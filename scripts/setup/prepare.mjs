import { mkdir } from 'node:fs/promises'
import { ensureElectron } from './electron.mjs'
import { ensureModelWeights } from './model-weights.mjs'
import { ensureNode24 } from './node-24.mjs'
import { ensureNpmDependencies } from './npm-dependencies.mjs'
import { findCacheDir } from './paths.mjs'
import { reasonOf, SetupError, step } from './progress.mjs'
import { ensureSqliteBinding } from './sqlite-binding.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

/**
 * The result of the setup.
 * @typedef {object} Setup
 * @property {string} cacheDir
 * @property {string} node24 path of the executable
 * @property {Desktop | null} desktop null when no window was requested
 *
 * @typedef {object} Desktop
 * @property {string} electron path of the executable
 * @property {string} version Electron's
 * @property {NodeJS.ProcessEnv} env variables that the app needs in its environment
 */

/**
 * Ensures that everything the app or its tests need is present on this machine.
 * @param {{ window: boolean, tests: boolean, languages?: boolean }} needs
 * @returns {Promise<Setup>}
 */
export async function prepare(needs) {
  const base = await prepareNode(needs)
  return { ...base, desktop: needs.window ? await prepareDesktop(base.cacheDir) : null }
}

/**
 * Ensures everything but Electron.
 * @param {{ window: boolean, tests: boolean, languages?: boolean }} needs
 * @returns {Promise<Omit<Setup, 'desktop'>>}
 */
export async function prepareNode(needs) {
  checkPlatform(process.platform)
  const cacheDir = findCacheDir(process.env)
  await makeCacheDir(cacheDir)
  await step('System packages', () => ensureSystemPackages(needs))
  await step('npm dependencies', () => ensureNpmDependencies(cacheDir))
  const node24 = await step('Node 24', () => ensureNode24())
  const required = Boolean(process.env['MODELPORT_REQUIRE_LOCAL_MODEL'])
  await step('Local model', () => ensureModelWeights({ cacheDir, required }))
  return { cacheDir, node24 }
}

/**
 * Windows starts no `npm` without a shell, and nobody has tried the steps after that.
 * @param {NodeJS.Platform} platform
 * @throws {SetupError} on Windows
 */
export function checkPlatform(platform) {
  if (platform !== 'win32') return
  throw new SetupError('A checkout of Modelport cannot be set up on Windows yet.', {
    wayOut: 'use Linux, where it is developed and tested.',
  })
}

/** @param {string} cacheDir */
async function makeCacheDir(cacheDir) {
  try {
    await mkdir(cacheDir, { recursive: true })
  } catch (error) {
    throw new SetupError(`The cache folder ${cacheDir} cannot be created: ${reasonOf(error)}`, {
      wayOut: 'set MODELPORT_CACHE_DIR to a folder that you may write to.',
      cause: error,
    })
  }
}

/**
 * @param {string} cacheDir
 * @returns {Promise<Desktop>}
 */
export async function prepareDesktop(cacheDir) {
  const electron = await step('Electron', () => ensureElectron(cacheDir))
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, MODELPORT_CACHE_DIR: cacheDir }
  // An editor's terminal may have it set; Electron would then run as plain Node.
  delete env['ELECTRON_RUN_AS_NODE']
  if (electron.needsOwnSqliteBinding) {
    const electronVersion = electron.version
    env['MODELPORT_SQLITE_BINDING'] = await step('SQLite binding', () =>
      ensureSqliteBinding({ cacheDir, electronVersion }),
    )
  }
  return { electron: electron.path, version: electron.version, env }
}
