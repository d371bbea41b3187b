/**
 * Writes resources/ratings.json from tables of LMArena and LiveBench (`node scripts/build-ratings.ts
 * --data FOLDER`). The tables are not part of this repository: the folder holds `arena_text_style_control_DATE.csv`
 * and `livebench/table_DATE.csv`, `categories_DATE.json` and `cost_DATE.csv`. The file holds derived figures only,
 * each with its source, date and reasoning effort; `node scripts/build-catalog.mjs` takes them from there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readArenaTable, type ArenaTable } from '../src/service/catalog/ratings/arena.ts'
import { deriveRatings } from '../src/service/catalog/ratings/derive-ratings.ts'
import { readLiveBench, type LiveBenchRelease } from '../src/service/catalog/ratings/livebench.ts'
import { ratingsSchema } from '../src/service/catalog/ratings/ratings.ts'

const file = path.resolve(import.meta.dirname, '../resources/ratings.json')
const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (values.data === undefined) throw new Error('Name the folder of the tables: --data FOLDER')

const ratings = deriveRatings(
  { arena: newestArena(values.data), liveBench: releasesOf(path.join(values.data, 'livebench')) },
  null,
)
const { models, ...rest } = ratingsSchema.parse(ratings)
// A line for each model, so that a change shows which models it concerns.
const lines = Object.entries(models).map(
  ([name, rated]) => `    "${name}": ${JSON.stringify(rated)}`,
)
writeFileSync(
  file,
  `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "models": {\n${lines.join(',\n')}\n  }\n}\n`,
)
console.log(`resources/ratings.json: ${Object.keys(ratings.models).length} models`)

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

/** Newest first. */
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
