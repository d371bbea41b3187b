/**
 * A file that is deleted when the disk is full. SQLite needs space even to delete rows, and requests that are already
 * in progress still have to be recorded. See docs/decisions/2026-11-22-full-disk.md.
 */
import { randomFillSync } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const mib = 1024 * 1024
export const ballastBytes = 8 * mib
/** Space that must stay free beside a new ballast; otherwise the next write would delete it again. */
const spareBytes = 4 * mib
const retryMs = 1_000

export interface Ballast {
  /** @returns whether the ballast exists now; false when there is no room for it */
  make(): boolean
  /**
   * Deletes the ballast and makes it again as soon as there is room.
   * @returns whether there was one to delete
   */
  release(): boolean
  close(): void
}

/** @param onChange  called when the ballast was deleted, and when it exists again */
export function openBallast(dataDir: string, onChange: (isReleased: boolean) => void): Ballast {
  const file = join(dataDir, 'modelport.ballast')
  let retry: NodeJS.Timeout | undefined
  const stopRetry = () => {
    clearInterval(retry)
    retry = undefined
  }
  const make = () => exists(file) || write(file, dataDir)
  return {
    make,
    release() {
      if (retry !== undefined || !exists(file)) return false
      rmSync(file, { force: true })
      retry = setInterval(() => {
        if (!make()) return
        stopRetry()
        onChange(false)
      }, retryMs)
      onChange(true)
      return true
    },
    close: stopRetry,
  }
}

/** A shorter file is the rest of a write that a crash interrupted. */
function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === ballastBytes
}

function write(file: string, dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < ballastBytes + spareBytes) return false
    const handle = openSync(file, 'w', 0o600)
    try {
      // A file system that compresses would keep no space for zeros.
      const block = randomFillSync(Buffer.alloc(mib))
      for (let written = 0; written < ballastBytes; written += mib) writeSync(handle, block)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    return exists(file)
  } catch {
    // Full, read-only or not permitted: then there is no ballast, and the next attempt may make it.
    rmSync(file, { force: true })
    return false
  }
}
