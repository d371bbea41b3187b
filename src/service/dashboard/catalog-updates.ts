/**
 * Refreshes the catalog in two steps: it downloads and compares the published facts, then applies exactly the
 * changes it showed, once the user confirms them. The user's own figures take precedence.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { CatalogCheck, CatalogState } from '../../shared/catalog.ts'
import { downloadedCatalogSchema, type DownloadedCatalog } from '../catalog/catalog.ts'
import { readGenaiPrices } from '../catalog/sources/genai-prices.ts'
import { readModelsDev } from '../catalog/sources/models-dev.ts'
import { publishedTypes } from '../providers/index.ts'
import { catalogChanges, updateModels } from '../catalog/update.ts'
import { catalogSources, downloadJson } from './catalog-download.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'

export function createCatalogUpdates(
  options: Pick<DashboardOptions, 'catalog' | 'catalogFile' | 'fetch' | 'now'>,
): Dashboard['catalog'] {
  const { catalog, catalogFile } = options
  let pending: { token: string; downloaded: DownloadedCatalog } | null = null
  return {
    state: async () => catalog.state(),
    async check(): Promise<CatalogCheck> {
      const downloaded = await download(options)
      const token = createHash('sha256').update(JSON.stringify(downloaded)).digest('hex')
      pending = { token, downloaded }
      const changes = catalogChanges(catalog.models(), downloaded.models)
      return { token, asOf: downloaded.asOf, changes }
    },
    async apply(token): Promise<CatalogState> {
      if (pending?.token !== token) {
        throw new DashboardError(
          'conflict',
          'The download changed since you looked at it. Check again.',
        )
      }
      await catalogFile.save(pending.downloaded)
      pending = null
      return catalog.state()
    },
    async reset(): Promise<CatalogState> {
      await catalogFile.remove()
      return catalog.state()
    },
  }
}

async function download({
  catalog,
  fetch,
  now,
}: Pick<DashboardOptions, 'catalog' | 'fetch' | 'now'>): Promise<DownloadedCatalog> {
  const [prices, models] = await Promise.all([
    downloadJson(catalogSources.prices, fetch),
    downloadJson(catalogSources.models, fetch),
  ])
  const asOf = new Date(now()).toISOString().slice(0, 10)
  try {
    const published = {
      prices: readGenaiPrices(prices, { asOf, dayStartMs: Date.parse }),
      models: readModelsDev(models),
      types: publishedTypes(),
      asOf,
    }
    return downloadedCatalogSchema.parse({
      formatVersion: 1,
      asOf,
      models: updateModels(catalog.bundledModels(), published),
    })
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new DashboardError(
      'unreachable',
      'This version of Modelport cannot read the downloaded catalog. Nothing was changed.',
    )
  }
}
