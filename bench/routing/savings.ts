/** Figures 1 and 3, and the results on kinds of prompts that were not seen before. */
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { Measurement } from '../measurement.ts'
import { expectationsFrom } from './fold.ts'
import { topicOfLabel } from '../../training/reader/labels.ts'
import {
  aiqByPace,
  crossValidate,
  figuresOf,
  staticFigures,
  type PoolFigures,
} from './many-models.ts'
import { mean, standardDeviation } from '../../training/reader/mean.ts'
import type { Pool } from './pool.ts'
import type { Readers } from './readers.ts'

const seeds = [1, 2, 3]
/** Goals in per cent of the best model's cost at 95 % of its quality. */
const goals: readonly (readonly [start: string, savedAt95: number])[] = [
  ['zeroeval', 86],
  ['mmlu_pro', 78],
  ['ulab', 86],
]

/** Cost saved on pools of many models, cross-validated within each file. */
export function measureSavings(pools: readonly Pool[], readers: Readers): Measurement[] {
  if (pools.length === 0) return []
  const measured = pools.map((pool) => ({
    pool,
    runs: seeds.map((seed) =>
      figuresOf(crossValidate(pool, seed, (taught) => readers.forFold(pool, taught))),
    ),
  }))
  const kept = measured.map(({ runs }) => mean(runs.map(({ defaultKept }) => defaultKept)))
  const saved = measured.map(({ runs }) => mean(runs.map(({ defaultSaved }) => defaultSaved)))
  return [
    ...measured.flatMap(({ pool, runs }) => savedAt95Of(pool, runs)),
    ...measured.flatMap(({ pool, runs }) => defaultsOf(pool, runs)),
    {
      what: 'cost_optimized as it is from the start: quality kept, least of the pools',
      unit: '% of the best model',
      measured: Math.min(...kept),
      target: null,
      goal: { atLeast: 95 },
    },
    {
      what: 'cost_optimized as it is from the start: cost saved, mean of the pools',
      unit: '%',
      measured: mean(saved),
      target: null,
      goal: { atLeast: 70 },
    },
  ]
}

/**
 * A pool's results on prompts with a label that was left out of the training, compared with never reading a prompt.
 */
export function measureUnseenKinds(pools: readonly Pool[], readers: Readers): Measurement[] {
  return pools.flatMap((pool) => {
    const changes = [...new Set(pool.rows.map(({ label }) => label))].flatMap((label) => {
      const topic = topicOfLabel(label)
      return topic === null
        ? []
        : [changeOnUnseen(pool, label, readers.without(pool, topicNames.indexOf(topic)))]
    })
    if (changes.length === 0) return []
    const what = `${pool.name}: AIQ on kinds of prompts never seen, against the prior`
    return [
      {
        what: `${what}, mean of ${changes.length}`,
        unit: '',
        measured: mean(changes),
        target: null,
        goal: { atLeast: -0.3 },
      },
      { what: `${what}, worst`, unit: '', measured: Math.min(...changes), target: null },
    ]
  })
}

function changeOnUnseen(pool: Pool, unseen: string, read: ReturnType<Readers['without']>): number {
  const taught = pool.rows.filter(({ label }) => label !== unseen)
  const asked = pool.rows.filter(({ label }) => label === unseen)
  const ours = aiqByPace(expectationsFrom(pool, taught, { read, asked }))
  return ours - aiqByPace(expectationsFrom(pool, taught, { read: () => null, asked }))
}

function savedAt95Of(pool: Pool, runs: readonly PoolFigures[]): Measurement[] {
  const { aiq, savedAt95 } = staticFigures(pool)
  const [, goal] = goals.find(([start]) => pool.name.startsWith(start)) ?? []
  const named = `${pool.name} (${pool.models.length} models, ${pool.rows.length} prompts)`
  const what = `${named}: cost saved at 95 % of the best model's quality`
  return [
    {
      ...spread(
        `${what}, by pace`,
        '%',
        runs.map((run) => run.savedAt95),
      ),
      baseline: { what: 'static mix', value: savedAt95 },
      ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
    },
    spread(
      `${what}, by tolerance`,
      '%',
      runs.map((run) => run.savedAt95ByTolerance),
    ),
    spread(
      `${named}: cost saved at 98 %, by pace`,
      '%',
      runs.map((run) => run.savedAt98),
    ),
    {
      ...spread(
        `${named}: AIQ`,
        '',
        runs.map((run) => run.aiq),
      ),
      baseline: { what: 'static mix', value: aiq },
    },
  ]
}

function defaultsOf({ name }: Pool, runs: readonly PoolFigures[]): Measurement[] {
  const what = `${name}: cost_optimized as it is from the start`
  return [
    spread(
      `${what}, quality kept`,
      '% of the best model',
      runs.map((run) => run.defaultKept),
    ),
    spread(
      `${what}, cost saved`,
      '%',
      runs.map((run) => run.defaultSaved),
    ),
  ]
}

function spread(what: string, unit: string, values: readonly number[]): Measurement {
  const deviation = standardDeviation(values).toPrecision(1)
  return { what: `${what} (sd ${deviation})`, unit, measured: mean(values), target: null }
}
