/** How well the reader orders the prompts of files it knows other prompts of, and what its trees cost. */
import { statSync } from 'node:fs'
import { readTrees } from '../../src/service/routing/prompt/difficulty-trees.ts'
import { shippedWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import { row } from '../row.ts'
import { rankCorrelation } from './calibration.ts'
import { difficultyFeatures } from '../../training/reader/difficulty-samples.ts'
import type { Read } from './fold.ts'
import { gradedPrompts } from '../../training/graded/graded-prompts.ts'
import { mean } from '../../training/reader/mean.ts'
import type { Pool } from './pool.ts'
import type { Readers } from './readers.ts'

const goalsOf: readonly (readonly [start: string, order: number])[] = [
  ['mmlu_pro', 0.37],
  ['routerbench', 0.15],
  ['ulab', 0.44],
  ['zeroeval', 0.59],
]
const mostTreesMs = 0.01
const mostWeightsMb = 0.8
const goes = 20

export function measureReader(pools: readonly Pool[], readers: Readers): Measurement[] {
  return [...pools.flatMap((pool) => orderRows(pool, readers)), treesRow(), sizeRow()]
}

/**
 * Twice: without the question in any other file, as the other rows measure, and without this file's prompt only, as
 * the goals were set. Of ZeroEval's questions 46 % stand in other files, of MMLU-Pro's 29 %, of ulab's 1 %.
 */
function orderRows(pool: Pool, readers: Readers): Measurement[] {
  const [, atLeast] = goalsOf.find(([start]) => pool.name.startsWith(start)) ?? []
  const what = `${pool.name}, other prompts of the file known: rank correlation of difficulty and failures`
  return [
    row(what, [orderBy(pool, readers.forOthersOfFile(pool, 'question')), '']),
    row(
      `${what}, repeated questions in other files too`,
      [orderBy(pool, readers.forOthersOfFile(pool, 'prompt')), ''],
      atLeast === undefined ? {} : { goal: { atLeast } },
    ),
  ]
}

function orderBy({ rows }: Pool, read: Read): number {
  return rankCorrelation(
    rows.map((asked) => [read(asked)?.difficulty ?? 0, 1 - mean(asked.scores)]),
  )
}

/** The fastest of several goes for each prompt, as for decisions. */
function treesRow(): Measurement {
  const { topics, difficulty } = shippedWeights()
  const prompts = gradedPrompts.map(({ prompt }) => difficultyFeatures(prompt, topics).values)
  const fastest = prompts.map(() => Infinity)
  for (let go = 0; go < goes; go += 1) {
    for (const [at, values] of prompts.entries()) {
      const startMs = performance.now()
      readTrees(difficulty.trees, values)
      fastest[at] = Math.min(fastest[at] ?? Infinity, performance.now() - startMs)
    }
  }
  return row('the trees of the difficulty, p99 of a prompt', [quantile(fastest, 0.99), 'ms'], {
    goal: { atMost: mostTreesMs },
  })
}

function sizeRow(): Measurement {
  const file = new URL('../../resources/routing-weights.json', import.meta.url)
  return row('weights of the reader', [statSync(file).size / 1e6, 'MB'], {
    goal: { atMost: mostWeightsMb },
  })
}
