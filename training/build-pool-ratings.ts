/**
 * `node training/build-pool-ratings.ts --quality DIR`: derives the ratings of the models of the data files from
 * public tables, and writes training/pool-ratings.json. The same tables give the same file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { arenaSource } from './ratings/source-parts.ts'
import { readArenaTable } from './ratings/arena.ts'
import { readLiveBench, type LiveBenchRow } from './ratings/livebench.ts'
import { logitOf } from './ratings/lines.ts'
import { liveBenchResiduals, offsetsOf } from './ratings/offsets.ts'
import type { PoolRating } from './reader/pool-ratings.ts'

const { values } = parseArgs({ options: { quality: { type: 'string' } } })
const folder = values.quality
if (folder === undefined)
  throw new Error('usage: node training/build-pool-ratings.ts --quality DIR')

const arenaDate = '2025-12-17'
/** Releases, newest first: a model has the figures of the newest release that lists it. */
const releases = ['2024-11-25', '2024-08-31', '2024-07-26', '2024-06-24']
/** All releases of 2024 as points of the leaderboard, through 33 models of both. */
const line = { intercept: 1322, slope: 109 }

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const arena = readArenaTable(read(`arena_text_style_control_${arenaDate}.csv`), arenaDate)
const liveBench = releases.map((release) => {
  const name = release.replaceAll('-', '_')
  const categories: unknown = JSON.parse(read(`livebench/categories_${name}.json`))
  const table = read(`livebench/table_${name}.csv`)
  const { rows } = readLiveBench({ release, table, categories, cost: null })
  return { rows, residuals: liveBenchResiduals(rows) }
})

const models: Record<string, Record<string, PoolRating>> = {}
for (const listed of read('pool_models.csv').trim().split('\n').slice(1)) {
  const [file = '', model = '', arenaName = '', liveBenchName = ''] = listed.split(',')
  const rating = ratingOf(arenaName, liveBenchName)
  if (rating) models[file] = { ...models[file], [model]: rating }
}
const sources = [
  arenaSource(arenaDate),
  'LiveBench, releases 2024-06-24 to 2024-11-25, on the line 1322 + 109 logit',
]
const target = new URL('./pool-ratings.json', import.meta.url)
writeFileSync(target, `${JSON.stringify({ sources, models }, null, 2)}\n`)

function ratingOf(arenaName: string, liveBenchName: string): PoolRating | null {
  const figure = arena.overall.get(arenaName)?.points
  const found = liveBench.find(({ rows }) => rows.has(liveBenchName))
  const row = found?.rows.get(liveBenchName)
  const points = [figure, row && pointsOf(row)].filter((one) => one !== undefined)
  if (points.length === 0) return null
  const offsets = offsetsOf((row && found?.residuals.get(row)) ?? null, null)
  const sum = points.reduce((total, one) => total + one, 0)
  return { points: Math.round(sum / points.length), offsets }
}

function pointsOf(row: LiveBenchRow): number {
  return line.intercept + line.slope * logitOf(row)
}
