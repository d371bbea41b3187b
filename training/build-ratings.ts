/**
 * Writes training/ratings.json from tables of LMArena and LiveBench (`node training/build-ratings.ts
 * --data FOLDER`). The tables are not part of this repository: the folder holds `arena_text_style_control_DATE.csv`
 * and `livebench/table_DATE.csv`, `categories_DATE.json` and `cost_DATE.csv`. The file holds derived figures only,
 * each with its source, date and reasoning effort; `node scripts/build-catalog.mjs` takes them from there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readArenaTable, type ArenaTable } from './ratings/arena.ts'
import { deriveRatings } from './ratings/derive-ratings.ts'
import { readLiveBench, type LiveBenchRelease } from './ratings/livebench.ts'
import { ratingsSchema } from './ratings/ratings.ts'

const file = path.join(import.meta.dirname, 'ratings.json')
const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (values.data === undefined) throw new Error('Name the folder of the tables: --data FOLDER')

const ratings = ratingsSchema.parse(
  deriveRatings({
    arena: newestArena(values.data),
    liveBench: releasesOf(path.join(values.data, 'livebench')),
  }),
)
// A line for each model, so that a change shows which models it concerns.
const lines = Object.entries(ratings).map(([name, rated]) => `"${name}": ${JSON.stringify(rated)}`)
writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
console.log(`training/ratings.json: ${lines.length} models`)

function newestArena(folder: string): ArenaTable {
  const pattern = /^arena_text_style_control_(\d{4}-\d{2}-\d{2})\.csv$/
  const newest = readdirSync(folder)
    .flatMap((name) => pattern.exec(name) ?? [])
    .filter((part) => part.length === 10)
    .toSorted()
    .at(-1)
  if (newest === undefined) throw new Error(`${folder} has no arena_text_style_control_DATE.csv`)
  const name = `arena_text_style_control_${newest}.csv`
  return readArenaTable(readFileSync(path.join(folder, name), 'utf8'), newest)
}

/** Releases in a folder, newest first. */
function releasesOf(folder: string): LiveBenchRelease[] {
  const days = readdirSync(folder).flatMap((name) => /^table_(.+)\.csv$/.exec(name)?.[1] ?? [])
  return days
    .toSorted()
    .toReversed()
    .map((day) => {
      const text = (name: string) => readFileSync(path.join(folder, name), 'utf8')
      const cost = `cost_${day}.csv`
      return readLiveBench({
        release: day.replaceAll('_', '-'),
        table: text(`table_${day}.csv`),
        categories: JSON.parse(text(`categories_${day}.json`)),
        cost: existsSync(path.join(folder, cost)) ? text(cost) : null,
      })
    })
}
