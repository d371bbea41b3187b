/** `catalog.json`, the downloaded catalog in the data folder, which several processes may change. */
import { rm } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  parseDownloadedCatalog,
  type DownloadedCatalog,
  type LiveCatalog,
} from '../catalog/catalog.ts'
import { lookEvery } from '../storage/look-again.ts'
import { readIfThere, replaceFile } from './durable-file.ts'

/** How often the file is checked for changes by another process. */
const pollMs = 500

/** Stores the downloaded catalogue; `save` and `remove` also apply the change. */
export interface CatalogStore {
  save(downloaded: DownloadedCatalog): Promise<void>
  remove(): Promise<void>
  close(): void
}

function catalogFileIn(dataDir: string): string {
  return join(dataDir, 'catalog.json')
}

/**
 * Applies the file's catalog, now and whenever the file changes. If the file is unreadable or invalid, the included
 * catalog stays in use.
 * @param onError  called with the error of such a file
 */
export async function openCatalogFile(
  dataDir: string,
  catalog: LiveCatalog,
  onError: (error: unknown) => void,
): Promise<CatalogStore> {
  const file = catalogFileIn(dataDir)
  const load = async () => {
    try {
      const text = await readIfThere(file)
      catalog.use(text === null ? null : parseDownloadedCatalog(text))
    } catch (error) {
      onError(error)
      catalog.use(null)
    }
  }
  await load()
  let seen = versionOf(file)
  const stopLooking = lookEvery(pollMs, () => {
    const version = versionOf(file)
    if (version !== seen) void load()
    seen = version
  })
  return {
    async save(downloaded) {
      await replaceFile(file, `${JSON.stringify(downloaded)}\n`)
      await load()
    },
    async remove() {
      await rm(file, { force: true })
      await load()
    },
    close: stopLooking,
  }
}

/** The file's text, for a copy elsewhere; null when there is none or it is damaged. */
export async function readCatalogText(
  dataDir: string,
): Promise<{ text: string | null; isDamaged: boolean }> {
  const text = await readIfThere(catalogFileIn(dataDir))
  try {
    if (text !== null) parseDownloadedCatalog(text)
    return { text, isDamaged: false }
  } catch {
    return { text: null, isDamaged: true }
  }
}

/** @param text  null removes the file */
export async function replaceCatalogText(dataDir: string, text: string | null): Promise<void> {
  const file = catalogFileIn(dataDir)
  await (text === null ? rm(file, { force: true }) : replaceFile(file, text))
}

/** Changes with the file; null while there is none. */
function versionOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : null
}
