/** How well the reader orders the prompts of files it knows other prompts of, and what its trees cost. */
import { statSync } from 'node:fs'
import { readTrees } from '../../src/service/routing/prompt/difficulty-trees.ts'
import { shippedWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import { row } from '../row.ts'
import { rankCorrelation } from './calibration.ts'
import { difficultyFeatures } from './difficulty-samples.ts'
import { gradedPrompts } from './graded/graded-prompts.ts'
import { mean } from './mean.ts'
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
  return [...pools.map((pool) => orderRow(pool, readers)), treesRow(), sizeRow()]
}

function orderRow(pool: Pool, readers: Readers): Measurement {
  const read = readers.forOthersOfFile(pool)
  const order = rankCorrelation(
    pool.rows.map((asked) => [read(asked)?.difficulty ?? 0, 1 - mean(asked.scores)]),
  )
  const [, atLeast] = goalsOf.find(([start]) => pool.name.startsWith(start)) ?? []
  return row(
    `${pool.name}, other prompts of the file known: rank correlation of difficulty and failures`,
    [order, ''],
    atLeast === undefined ? {} : { goal: { atLeast } },
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
