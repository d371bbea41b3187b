/**
 * Refreshes the catalog in two steps: it downloads and compares the published facts, then applies exactly the
 * changes it showed, once the user confirms them. The user's own figures take precedence.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CatalogCheck, CatalogState } from '../../shared/models/catalog.ts'
import { downloadedCatalogSchema, type DownloadedCatalog } from '../catalog/catalog.ts'
import { readGenaiPrices } from '../catalog/sources/genai-prices.ts'
import { readModelsDev } from '../catalog/sources/models-dev.ts'
import { publishedTypes } from '../provider-types/provider-types.ts'
import { catalogChanges, updateModels } from '../catalog/update.ts'
import { catalogSources, downloadJson } from './catalog-download.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'

export function createCatalogUpdates(
  options: Pick<DashboardOptions, 'catalog' | 'catalogStore' | 'fetch' | 'now'>,
): Dashboard['catalog'] {
  const { catalog, catalogStore } = options
  let pending: { token: string; downloaded: DownloadedCatalog } | null = null
  return {
    state: async () => catalog.state(),
    async check(): Promise<CatalogCheck> {
      const downloaded = await download(options)
      const token = createHash('sha256').update(JSON.stringify(downloaded)).digest('hex')
      pending = { token, downloaded }
      return {
        token,
        asOf: downloaded.asOf,
        changes: catalogChanges(catalog.models(), downloaded.models),
      }
    },
    async apply(token): Promise<CatalogState> {
      if (pending?.token !== token) {
        throw new DashboardError(
          'conflict',
          'The download changed since you looked at it. Check again.',
        )
      }
      await catalogStore.save(pending.downloaded)
      pending = null
      return catalog.state()
    },
    async reset(): Promise<CatalogState> {
      await catalogStore.remove()
      return catalog.state()
    },
  }
}

/** @throws DashboardError unreachable */
async function download({
  catalog,
  fetch,
  now,
}: Pick<DashboardOptions, 'catalog' | 'fetch' | 'now'>): Promise<DownloadedCatalog> {
  const asOf = new Date(now()).toISOString().slice(0, 10)
  try {
    const [prices, published] = await Promise.all([
      downloadJson(catalogSources.prices, fetch),
      downloadJson(catalogSources.models, fetch),
    ])
    const models = updateModels(catalog.bundledModels(), {
      prices: readGenaiPrices(prices, { asOf, dayStartMs: Date.parse }),
      models: readModelsDev(published),
      types: publishedTypes(),
      asOf,
    })
    return downloadedCatalogSchema.parse({ formatVersion: 1, asOf, models })
  } catch (error) {
    throw nothingChanged(error)
  }
}

/** The error with a note that nothing changed; any other error as it is. */
function nothingChanged(error: unknown): unknown {
  const message =
    error instanceof z.ZodError
      ? 'This version of Modelport cannot read the downloaded catalog.'
      : error instanceof DashboardError && error.message
  return message ? new DashboardError('unreachable', `${message} Nothing was changed.`) : error
}
