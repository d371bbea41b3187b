import { DataFolderInUse, lockDataFolder } from '../data-folder/data-folder.ts'
import { DatabaseFromOlderVersion } from '../storage/storage.ts'
import { prepareVersion } from './version-change.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../wiring/workspace.ts'

/**
 * Opens the workspace for a command. A database of an older version is treated as by a start of this version: it is copied
 * for the way back before it is upgraded, and not while an older version uses it.
 * @param version  of this program
 * @throws DataFolderInUse, and as `openWorkspace`
 */
export async function openForCommand(
  options: WorkspaceOptions,
  version: string,
): Promise<Workspace> {
  try {
    return await openWorkspace({ ...options, keepsSchema: true })
  } catch (error) {
    if (!(error instanceof DatabaseFromOlderVersion)) throw error
    return await openUpgraded(options, version, error)
  }
}

async function openUpgraded(
  options: WorkspaceOptions,
  version: string,
  older: DatabaseFromOlderVersion,
): Promise<Workspace> {
  const unlock = lockFolder(options, older)
  try {
    await prepareVersion({ ...options, version })
    return await openWorkspace(options)
  } finally {
    unlock()
  }
}

function lockFolder(options: WorkspaceOptions, older: DatabaseFromOlderVersion): () => void {
  try {
    return lockDataFolder({ ...options, holder: 'command' })
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error
    throw new DataFolderInUse(`${older.message} ${error.message}`)
  }
}
