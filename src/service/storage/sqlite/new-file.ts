import { closeSync, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

/**
 * Whom a file or folder belongs to that root makes: the owner of the folder that it is in, because a service that runs as that
 * user could not open it. Null where it stays with the user that makes it.
 */
export function ownerOfNew(path: string): Owner | null {
  if (process.getuid?.() !== 0) return null
  const { uid, gid } = statSync(dirname(path))
  return uid === 0 ? null : { uid, gid }
}

/** Creates an empty file that only its owner can read. @throws EEXIST for a file that exists */
export function createNewFile(file: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    const owner = ownerOfNew(file)
    if (owner !== null) give(handle, owner)
  } finally {
    closeSync(handle)
  }
}

function give(handle: number, { uid, gid }: Owner): void {
  try {
    fchownSync(handle, uid, gid)
  } catch {
    // Root of a container may not; the file stays its own.
  }
}
