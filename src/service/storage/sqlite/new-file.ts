import { closeSync, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates an empty file that only its owner can read: as root, the owner of its folder, because a service that runs as that
 * user could not open it.
 * @throws EEXIST for a file that exists
 */
export function createNewFile(file: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    const { uid, gid } = statSync(dirname(file))
    if (process.getuid?.() === 0 && uid !== 0) fchownSync(handle, uid, gid)
  } finally {
    closeSync(handle)
  }
}
