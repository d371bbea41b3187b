/** The downloaded catalog in a table, so that all nodes calculate with the same prices. */
import { openVersion } from '../sql/configuration.ts'
import type { Sql } from '../sql/sql.ts'

export interface DownloadedCatalogTable {
  /** Number that each `save` increases, 0 at first. Cheap to read, unlike the text. */
  revision(): Promise<number>
  read(): Promise<StoredCatalog>
  /**
   * Stores the catalogue and raises the configuration's version, which tells every node.
   * @param text  null is the included catalogue
   */
  save(text: string | null): Promise<void>
}

interface StoredCatalog {
  revision: number
  text: string | null
}

export function openDownloadedCatalog(sql: Sql): DownloadedCatalogTable {
  const revision = sql.prepare<[], number>('SELECT revision FROM downloaded_catalog').pluck()
  const select = sql.prepare<[], StoredCatalog>('SELECT revision, text FROM downloaded_catalog')
  const save = sql.prepare<[string | null]>(`
    INSERT INTO downloaded_catalog (revision, text) VALUES (1, ?)
    ON CONFLICT (is_only) DO UPDATE
      SET revision = downloaded_catalog.revision + 1, text = excluded.text`)
  const { changing } = openVersion(sql)
  return {
    revision: async () => (await revision.get()) ?? 0,
    read: async () => (await select.get()) ?? { revision: 0, text: null },
    save: changing(async (text) => void (await save.run(text))),
  }
}
