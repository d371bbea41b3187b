import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// Closed networks stay closed for more than a day; an outage is over by tomorrow.
const rememberedMs = 24 * 60 * 60_000

/**
 * Why the same download failed within the last day, so that the next start does not wait for it again.
 * @param {string} cacheDir
 * @param {string} name
 * @returns {Promise<string | null>} the reason; null without a recent failure
 */
export async function findRememberedFailure(cacheDir, name) {
  try {
    /** @type {unknown} */
    const failure = JSON.parse(await readFile(failureFile(cacheDir, name), 'utf8'))
    if (!isFailure(failure) || Date.now() - failure.failedAtMs > rememberedMs) return null
    return failure.reason
  } catch {
    // Missing or incomplete after an interruption: try the download.
    return null
  }
}

/**
 * @param {string} cacheDir
 * @param {string} name
 * @param {string} reason
 */
export async function rememberFailure(cacheDir, name, reason) {
  await mkdir(cacheDir, { recursive: true })
  await writeFile(failureFile(cacheDir, name), JSON.stringify({ failedAtMs: Date.now(), reason }))
}

/**
 * @param {string} cacheDir
 * @param {string} name
 */
export async function forgetFailure(cacheDir, name) {
  await rm(failureFile(cacheDir, name), { force: true })
}

/**
 * @param {string} cacheDir
 * @param {string} name
 */
function failureFile(cacheDir, name) {
  return join(cacheDir, `${name}-failed.json`)
}

/**
 * @param {unknown} value
 * @returns {value is { failedAtMs: number, reason: string }}
 */
function isFailure(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    'failedAtMs' in value &&
    typeof value.failedAtMs === 'number' &&
    'reason' in value &&
    typeof value.reason === 'string'
  )
}
