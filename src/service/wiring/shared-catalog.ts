/** The downloaded catalog of several nodes. A node parses it once per change. */
import { parseDownloadedCatalog, type LiveCatalog } from '../catalog/catalog.ts'
import { openCatalogFile, type CatalogStore } from '../data-folder/catalog-file.ts'
import type { DownloadedCatalogTable } from '../storage/postgres/downloaded-catalog.ts'

/** How long after a failed read the next one follows. */
const retryMs = 500

interface SharedCatalogOptions {
  table: DownloadedCatalogTable
  /** The configuration, whose version rises with each change of the catalogue. */
  configuration: { onChange(listener: () => void): () => void }
  catalog: LiveCatalog
  /** Called when the catalog could not be read; the catalog before it stays in use. */
  onError: (error: unknown) => void
}

/**
 * The downloaded catalog of a table that nodes share or, without one, of the data folder.
 * @throws StorageUnavailable
 */
export function openCatalogStore(
  { dataDir, table }: { dataDir: string; table: DownloadedCatalogTable | undefined },
  parts: Omit<SharedCatalogOptions, 'table'>,
): Promise<CatalogStore> {
  return table
    ? openSharedCatalog({ table, ...parts })
    : openCatalogFile(dataDir, parts.catalog, parts.onError)
}

/** @throws StorageUnavailable */
export async function openSharedCatalog(options: SharedCatalogOptions): Promise<CatalogStore> {
  const { table, configuration, catalog, onError } = options
  let seen = 0
  let last: Promise<void> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const load = async () => {
    if ((await table.revision()) === seen) return
    const { revision, text } = await table.read()
    // Before the text is parsed, so that a damaged one is reported once.
    seen = revision
    try {
      catalog.use(text === null ? null : parseDownloadedCatalog(text))
    } catch (error) {
      onError(error)
    }
  }
  /** One at a time: an older catalog must not replace a newer one. */
  const loadInTurn = () => {
    const loaded = last.then(load)
    last = loaded.catch(() => undefined)
    return loaded
  }
  const follow = () => {
    clearTimeout(retry)
    loadInTurn().catch((error: unknown) => {
      if (isClosed) return
      onError(error)
      retry = setTimeout(follow, retryMs).unref()
    })
  }
  // Before the first read, so that no change is missed in between.
  const stop = configuration.onChange(follow)
  const close = () => {
    isClosed = true
    stop()
    clearTimeout(retry)
  }
  try {
    await loadInTurn()
  } catch (error) {
    close()
    throw error
  }
  const save = async (text: string | null) => {
    await table.save(text)
    await loadInTurn()
  }
  return {
    save: (downloaded) => save(JSON.stringify(downloaded)),
    remove: () => save(null),
    close,
  }
}
