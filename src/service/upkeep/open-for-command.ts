import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderInUse, lockDataFolder } from '../data-folder/data-folder.ts'
import { DatabaseFromOlderVersion } from '../storage/storage.ts'
import { prepareVersion } from './version-change.ts'
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../wiring/workspace.ts'

/** How long another command or a start may take to upgrade the database; that of a large one takes longer. */
const patienceMs = 5_000
const waitMs = 200

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
  const endMs = performance.now() + patienceMs
  for (;;) {
    try {
      return await openWorkspace({ ...options, keepsSchema: true })
    } catch (older) {
      if (!(older instanceof DatabaseFromOlderVersion)) throw older
      const opened = await openUpgraded(options, version).catch((busy: unknown) => {
        if (!(busy instanceof DataFolderInUse)) throw busy
        if (performance.now() > endMs) throw new DataFolderInUse(`${older.message} ${busy.message}`)
        return null
      })
      if (opened !== null) return opened
    }
    await sleep(waitMs)
  }
}

async function openUpgraded(options: WorkspaceOptions, version: string): Promise<Workspace> {
  const unlock = lockDataFolder({ ...options, holder: 'command' })
  try {
    await prepareVersion({ ...options, version })
    return await openWorkspace(options)
  } finally {
    unlock()
  }
}
