/** The downloaded catalogue in the data folder, `catalog.json`: this process's and any other's. */
import { rm } from 'node:fs/promises'
import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import {
  downloadedCatalogSchema,
  type DownloadedCatalog,
  type LiveCatalog,
} from '../catalog/catalog.ts'
import { readIfThere, replaceFile } from './durable-file.ts'

/** How often a change by another process is looked for. */
const pollMs = 500

export interface CatalogFile {
  save(downloaded: DownloadedCatalog): Promise<void>
  remove(): Promise<void>
  close(): void
}

/**
 * Puts what is in the file in force, now and whenever it changes. A file that cannot be read or does not
 * fit leaves the bundled catalogue in force: a price nobody can check is none.
 * @param onError  told of such a file
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
