/**
 * The benefit of routing on public prompts: `npm run bench routing -- --data FILE…`, or all files of the folder in
 * MODELPORT_ROUTING_DATA. `--prompts FILE` adds graded prompts, one JSON object a line with `prompt` and `grade`.
 * All decisions use the product's own functions.
 */
import { energyRows } from './energy-rows.ts'
import type { Measurement } from './measurement.ts'
import type { DataFile } from '../training/reader/data-file.ts'
import { measureAccount } from './routing/account-rows.ts'
import { measureColdStart } from './routing/cold-start-rows.ts'
import { measureEveryday } from './routing/everyday-rows.ts'
import { gradedPrompts } from '../training/graded/graded-prompts.ts'
import { readPrompt } from '../src/service/routing/prompt/read-prompt.ts'
import { measureDecisionTime } from './routing/decision-time.ts'
import { measurePairs } from './routing/pair-gains.ts'
import { poolOf, type Pool } from './routing/pool.ts'
import { readFiles, readPrompts } from './routing/read-files.ts'
import { measureReader } from './routing/reader-rows.ts'
import { Readers } from './routing/readers.ts'
import { measureSavings, measureUnseenKinds } from './routing/savings.ts'
import { measureSteadiness } from './routing/steadiness.ts'
import { measureTuning } from './routing/tuning.ts'

/** @throws Error when there is no data, or a file has an unknown form */
export async function run(): Promise<Measurement[]> {
  const files = readFiles(process.argv.slice(3), process.env)
  const pools = poolsOf(files)
  const readers = new Readers(files)
  return [
    ...measureSavings(pools, readers),
    ...measureAccount(pools, readers),
    ...measureColdStart(pools, readers),
    ...measureTuning(pools, readers),
    ...measureReader(pools, readers),
    ...everydayRows(readers),
    ...measurePairs(files),
    ...measureUnseenKinds(pools, readers),
    ...measureDecisionTime(),
    ...measureSteadiness(),
    ...energyRows(),
  ]
}

/** The repository's graded prompts, with whole kinds left out, and those of `--prompts FILE`. */
function everydayRows(readers: Readers): Measurement[] {
  return [
    ...measureEveryday('everyday work', gradedPrompts, readers.forKinds()),
    ...readPrompts(process.argv.slice(3)).flatMap(({ name, prompts }) =>
      measureEveryday(name, prompts, ({ prompt }) => readPrompt({ lastUser: prompt, system: '' })),
    ),
  ]
}

function poolsOf(files: readonly DataFile[]): Pool[] {
  return files.flatMap((file) => {
    if (file.kind === 'pair') return []
    const pool = poolOf(file)
    if (pool) return [pool]
    console.error(`${file.name} is left out: bench/routing/prices.ts has no two of its models.`)
    return []
  })
}
