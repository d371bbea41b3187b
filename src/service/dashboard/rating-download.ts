/** Downloads the published ratings of models. A source that fails leaves its present figures in use. */
import { z } from 'zod'
import type { RatingSource } from '../../shared/catalog.ts'
import { readArena, type ArenaTable } from '../catalog/ratings/arena.ts'
import { deriveRatings } from '../catalog/ratings/derive-ratings.ts'
import { readLiveBench, type LiveBenchRelease } from '../catalog/ratings/livebench.ts'
import { isOlder } from '../catalog/ratings/refresh-ratings.ts'
import { ratingsSchema, type Ratings } from '../catalog/ratings/ratings.ts'
import { downloadJson, downloadText } from './catalog-download.ts'
import { DashboardError, type CatalogFetch } from './dashboard.ts'

export const arenaUrl =
  'https://raw.githubusercontent.com/lmarena/arena-catalog/main/data/leaderboard-text-style-control.json'
const liveBenchFolder = 'https://raw.githubusercontent.com/LiveBench/new-livebench/main/public'
/** The newest release and the one before it, which has more models. Rows are added to both. */
const releasesToRead = 2

/** The files of a release, `YYYY-MM-DD`. */
export function liveBenchUrls(release: string): Record<'table' | 'categories' | 'cost', string> {
  const day = release.replaceAll('-', '_')
  return {
    table: `${liveBenchFolder}/table_${day}.csv`,
    categories: `${liveBenchFolder}/categories_${day}.json`,
    cost: `${liveBenchFolder}/cost_${day}.csv`,
  }
}

export interface DownloadedRatings {
  ratings: Ratings
  sources: RatingSource[]
}

/** @param asOf  UTC day of the download */
export async function downloadRatings(
  present: Ratings,
  { fetch, asOf }: { fetch: CatalogFetch; asOf: string },
): Promise<DownloadedRatings> {
  const [arena, liveBench] = await Promise.all([
    attempt('LMArena', () => downloadArena(present, { fetch, asOf })),
    attempt('LiveBench', () => downloadLiveBench(present, fetch)),
  ])
  const derived = ratingsSchema.safeParse(
    deriveRatings({ arena: arena.value, liveBench: liveBench.value ?? [] }, present),
  )
  if (derived.success) return { ratings: derived.data, sources: [arena.source, liveBench.source] }
  const problem = 'This version of Modelport cannot read its ratings.'
  return {
    ratings: present,
    sources: [arena.source, liveBench.source].map((source) => ({ ...source, problem })),
  }
}

/** A rating is no reason to refuse newer prices, so a failure becomes a sentence. */
async function attempt<Value>(
  name: RatingSource['name'],
  download: () => Promise<Value>,
): Promise<{ value: Value | null; source: RatingSource }> {
  try {
    return { value: await download(), source: { name, problem: null } }
  } catch (error) {
    return { value: null, source: { name, problem: sentenceFor(error) } }
  }
}

/** @throws unexpected errors */
function sentenceFor(error: unknown): string {
  if (error instanceof DashboardError) return error.message
  if (error instanceof z.ZodError) return 'This version of Modelport cannot read its ratings.'
  throw error
}

async function downloadArena(
  present: Ratings,
  { fetch, asOf }: { fetch: CatalogFetch; asOf: string },
): Promise<ArenaTable> {
  const arena = readArena(await downloadJson(arenaUrl, fetch), asOf)
  if (!isOlder(arena, present)) return arena
  throw new DashboardError('unreachable', 'Its published file is older than the ratings in use.')
}

async function downloadLiveBench(
  { lines }: Ratings,
  fetch: CatalogFetch,
): Promise<LiveBenchRelease[]> {
  const releases = lines.slice(0, releasesToRead)
  return Promise.all(releases.map(async ({ release }) => downloadRelease(release, fetch)))
}

async function downloadRelease(release: string, fetch: CatalogFetch): Promise<LiveBenchRelease> {
  const urls = liveBenchUrls(release)
  const [table, categories, cost] = await Promise.all([
    downloadText(urls.table, fetch),
    downloadJson(urls.categories, fetch),
    // Not every release has counted tokens.
    downloadText(urls.cost, fetch).catch((error: unknown) => {
      if (error instanceof DashboardError) return null
      throw error
    }),
  ])
  return readLiveBench({ release, table, categories, cost })
}
