/** `catalog.json`, the downloaded catalog in the data folder, which several processes may change. */
import { rm } from 'node:fs/promises'
import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import {
  downloadedCatalogSchema,
  type DownloadedCatalog,
  type LiveCatalog,
} from '../catalog/catalog.ts'
import { readIfThere, replaceFile } from './durable-file.ts'

/** How often the file is checked for changes by another process. */
const pollMs = 500

export interface CatalogFile {
  save(downloaded: DownloadedCatalog): Promise<void>
  remove(): Promise<void>
  close(): void
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
): Promise<CatalogFile> {
  const file = join(dataDir, 'catalog.json')
  const load = async () => {
    try {
      const text = await readIfThere(file)
      catalog.use(text === null ? null : downloadedCatalogSchema.parse(JSON.parse(text)))
    } catch (error) {
      onError(error)
      catalog.use(null)
    }
  }
  const reload = () => void load()
  await load()
  watchFile(file, { interval: pollMs, persistent: false }, reload)
  return {
    async save(downloaded) {
      await replaceFile(file, `${JSON.stringify(downloaded)}\n`)
      await load()
    },
    async remove() {
      await rm(file, { force: true })
      await load()
    },
    close: () => unwatchFile(file, reload),
  }
}
