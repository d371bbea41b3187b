import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { withLock } from './lock.mjs'

/**
 * @typedef {object} CacheEntry
 * @property {string} path where the finished file or folder stands
 * @property {(partialPath: string, holdAlsoFor: (pid: number) => void) => Promise<void>} make
 *   makes it at `partialPath`; further working files may stand beside it, their names starting with that path
 */

/**
 * Makes a file or folder in the cache once. It is made under another name and renamed when whole, so what stands at
 * `path` is always complete; what an interrupted launcher left behind is removed and made anew.
 * @param {CacheEntry} entry
 * @returns {Promise<boolean>} whether it had to be made
 */
export async function makeOnce({ path, make }) {
  if (existsSync(path)) return false
  return withLock(`${path}.lock`, async (holdAlsoFor) => {
    if (existsSync(path)) return false
    await removeLeftovers(path)
    const partialPath = `${path}.partial-${process.pid}`
    try {
      await make(partialPath, holdAlsoFor)
      await rename(partialPath, path)
    } finally {
      await removeLeftovers(path)
    }
    return true
  })
}

/** @param {string} path */
async function removeLeftovers(path) {
  await mkdir(dirname(path), { recursive: true })
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.partial-`)) continue
    await rm(join(dirname(path), name), { recursive: true, force: true })
  }
}
