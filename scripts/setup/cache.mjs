import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { withLock } from './lock.mjs'

/**
 * @typedef {object} CacheEntry
 * @property {string} path of the finished file or folder
 * @property {(partialPath: string, holdAlsoFor: (pid: number) => void) => Promise<void>} make
 *   creates it at `partialPath`; other working files may be next to it if their names start with that path
 */

/**
 * Creates a file or folder in the cache once. It is created under another name and renamed when complete, so the
 * content of `path` is always complete. Leftovers of an interrupted launcher are removed and created again.
 * @param {CacheEntry} entry
 * @returns {Promise<boolean>} whether it was created now
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
