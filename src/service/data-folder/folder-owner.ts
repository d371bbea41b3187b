/**
 * What root's commands make in the data folder of a service that runs as another user: it belongs to that user, or the
 * service could not open it. Owners change through handles, because the service's user can replace names in its folder.
 */
import { constants } from 'node:fs'
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

/** Gives a new file or folder to the owner of the folder that it is in, if root made it. */
export async function giveToFolderOwner(handle: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  // Without the right to give it, it stays root's.
  if (uid !== 0) await handle.chown(uid, gid).catch(() => undefined)
}

/** Creates a folder that only its owner can enter, unless it exists. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== folder || process.getuid?.() !== 0) return
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    await giveToFolderOwner(handle, folder)
  } finally {
    await handle.close()
  }
}
