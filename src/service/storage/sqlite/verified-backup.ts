import type { DatabaseOptions } from './database.ts'
import { openStorage } from './open-storage.ts'

/**
 * Copies the database, verified, in a thread of its own: it takes seconds, in which the service's thread must store
 * rows. @throws StorageConflict when the file exists and may not be replaced
 */
export async function backUpDatabase(
  options: DatabaseOptions,
  copy: { file: string; replaces: boolean },
): Promise<void> {
  const storage = await openStorage(options)
  try {
    await storage.maintenance.backup(copy)
  } finally {
    await storage.close()
  }
}
