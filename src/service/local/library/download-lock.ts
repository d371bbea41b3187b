/**
 * Lets one process at a time download a file, and lets any process pause it. The downloading process renews the
 * time of `<file>.download-lock`, so that the lock of a crashed process expires, and pauses when somebody deletes
 * the file.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { DownloadFailed } from './download-errors.ts'

const renewMs = 500
/** A lock that was not renewed for this long belongs to a process that has ended. */
const expiryMs = 15_000

/**
 * @param onPause  called once, when another process asks for a pause
 * @returns releases the lock
 * @throws DownloadFailed while another process downloads the file
 */
export async function holdDownload(
  file: string,
  onPause: () => void,
): Promise<() => Promise<void>> {
  const lock = lockFileOf(file)
  const owner = randomUUID()
  if (!(await isHeld(file))) await rm(lock, { force: true })
  await create(lock, owner)
  const timer = setInterval(() => void check(), renewMs)
  const check = async () => {
    if (await renew(lock, owner)) return
    clearInterval(timer)
    onPause()
  }
  timer.unref()
  return async () => {
    clearInterval(timer)
    if (await renew(lock, owner)) await rm(lock, { force: true })
  }
}

/** Whether some process downloads the file now. */
export async function isHeld(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lockFileOf(file))).mtimeMs < expiryMs
  } catch {
    return false
  }
}

/** Pauses the download in whichever process it runs; resolves when that process has noticed. */
export async function requestPause(file: string): Promise<void> {
  await rm(lockFileOf(file), { force: true })
  await wait(2 * renewMs)
}

async function create(lock: string, owner: string): Promise<void> {
  try {
    await writeFile(lock, owner, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw new DownloadFailed('Another process downloads this model already.', { cause: error })
  }
}

/** @returns false when the lock was deleted, or belongs to another process by now */
async function renew(lock: string, owner: string): Promise<boolean> {
  try {
    if ((await readFile(lock, 'utf8')) !== owner) return false
    const now = new Date()
    await utimes(lock, now, now)
    return true
  } catch {
    return false
  }
}

function lockFileOf(file: string): string {
  return `${file}.download-lock`
}
