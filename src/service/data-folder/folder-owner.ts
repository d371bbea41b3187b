/**
 * What root's commands make in the data folder of a service that runs as another user: it belongs to that user, or the
 * service could not open it. Owners change through handles, because the service's user can replace names in its folder.
 */
import { constants } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { ownerOfNew } from '../storage/sqlite/new-file.ts'

/** Gives a new file or folder to the owner of the folder that it is in, if root made it. */
export async function giveToFolderOwner(handle: FileHandle, path: string): Promise<void> {
  const owner = ownerOfNew(path)
  // Root of a container may not; the file stays its own.
  if (owner !== null) await handle.chown(owner.uid, owner.gid).catch(() => undefined)
}

/** Creates a folder that only its owner can enter, unless it exists. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== folder || ownerOfNew(folder) === null) return
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    await giveToFolderOwner(handle, folder)
  } finally {
    await handle.close()
  }
}
