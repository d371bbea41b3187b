import { lchown, lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

/**
 * Whom a new file belongs to if root makes it: the owner of its folder, because a service that runs as that user could not
 * open it. Null for the user that runs Modelport.
 */
export async function ownerOfNew(file: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null
  const { uid, gid } = await stat(dirname(file))
  return uid === 0 ? null : { uid, gid }
}

/**
 * Gives what root's commands made in a service's data folder to the user of that service. What cannot be given stays: the
 * command itself has done its work.
 */
export async function giveToOwner(dataDir: string): Promise<void> {
  const owner = await ownerOfNew(join(dataDir, 'any')).catch(() => null)
  if (owner === null) return
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    // A running service removes files meanwhile.
    const found = await lstat(path).catch(() => null)
    // A second name could lead to a file from outside of the folder.
    const isMade = found?.uid === 0 && (entry.isDirectory() || found.nlink === 1)
    if (isMade) await lchown(path, owner.uid, owner.gid).catch(() => undefined)
  }
}
