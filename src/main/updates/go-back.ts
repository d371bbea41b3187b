import { restoreAtNextStart } from '../../service/service.ts'
import type { VersionHistory } from '../../service/wiring/version-change.ts'
import { exchangeFolders, previousFolder, type FolderInstall } from './folder-install.ts'

/**
 * Puts the version before in this one's place, with a copy to restore. The restore is on the disk before the exchange:
 * after a power failure in between, this version ignores it, and the other one never starts without it.
 * @throws an error of the file system, after which nothing is to be restored
 */
export async function goBackWith(
  install: Pick<FolderInstall, 'folder' | 'fs'>,
  { dataDir, restoreFrom }: { dataDir: string; restoreFrom: VersionHistory['restoreFrom'] },
): Promise<void> {
  await restoreAtNextStart(dataDir, restoreFrom)
  try {
    await exchangeFolders(install, previousFolder(install.folder))
  } catch (error) {
    await restoreAtNextStart(dataDir, null)
    throw error
  }
}
