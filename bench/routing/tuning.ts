/**
 * What a tuning run earns: AIQ, cost saved and quality kept after some judged prompts, on the other half of each
 * pool, and what a judge that errs or missing ratings cost. Twenty cuts in two, both halves in turn.
 */
import type { Bound, Measurement } from '../measurement.ts'
import { row } from '../row.ts'
import { learningTimeMs } from './learning-time.ts'
import { mean } from '../../training/reader/mean.ts'
import type { Pool } from './pool.ts'
import type { Readers } from './readers.ts'
import { differingChoices, sweepFigures, type SweepFigures } from './sweep.ts'
import {
  expectTuned,
  splitOf,
  toTunable,
  type Split,
  type TunablePool,
  type TuningOptions,
} from './tuned-pool.ts'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
const counts = [10, 30, 100, 300, 1_000]

interface PoolGoals {
  savedAt95: number
  kept: number
  brier: number
  unratedGain: number
}

const goalsOf: readonly (readonly [start: string, goals: PoolGoals])[] = [
  ['zeroeval', { savedAt95: 77, kept: 95, brier: 0.145, unratedGain: 0.8 }],
  ['mmlu_pro', { savedAt95: 70, kept: 93.5, brier: 0.223, unratedGain: 0 }],
  ['ulab', { savedAt95: 75, kept: 95, brier: 0.205, unratedGain: 2.5 }],
]

/** Means over the seeds and halves of one pool. */
interface Tuned extends SweepFigures {
  pool: string
  /** AIQ above that of the ratings alone. */
  gain: number
}

export function measureTuning(pools: readonly Pool[], readers: Readers): Measurement[] {
  if (pools.length === 0) return []
  const bench = new TuningBench(pools.map((pool) => toTunable(pool, readers)))
  const read = counts.map((count) => ({ count, tuned: bench.tuned({ count }) }))
  const named = counts.map((count) => ({ count, tuned: bench.tuned({ count, isNamed: true }) }))
  const at = (count: number) => read.find((one) => one.count === count)?.tuned ?? []
  return [
    ...goalRows(at),
    ...unratedRows(bench.tuned({ count: 300, isUnrated: true })),
    ...judgeRows(bench, at(300)),
    ...bench.tuned({ count: 0 }).flatMap((one) => figureRows(one, 'no judged prompt')),
    ...read.flatMap(({ count, tuned }) =>
      tuned.flatMap((one) => figureRows(one, judgedPrompts(count))),
    ),
    ...named.flatMap(({ count, tuned }) =>
      tuned.flatMap((one) => figureRows(one, `${judgedPrompts(count)} with named kinds`)),
    ),
    ...bench.checks(),
  ]
}

/** Pools too small for a number of prompts are left out of it. */
class TuningBench {
  readonly #pools: readonly { pool: TunablePool; splits: readonly Split[] }[]
  readonly #known = new Map<string, Tuned[]>()

  constructor(pools: readonly TunablePool[]) {
    this.#pools = pools.map((pool) => ({
      pool,
      splits: seeds.flatMap((seed) => [splitOf(pool, seed, 0), splitOf(pool, seed, 1)]),
    }))
  }

  tuned(options: TuningOptions): Tuned[] {
    const key = JSON.stringify(options)
    const known = this.#known.get(key)
    if (known) return known
    const tuned = this.#pools.flatMap(({ pool, splits }) => {
      if (options.count > pool.prompts.length / 2) return []
      const figures = meanFigures(
        splits.map((split) => sweepFigures(expectTuned(pool, split, options), split.decided)),
      )
      const start = options.count === 0 ? figures : this.#startOf(pool)
      return [{ pool: pool.name, ...figures, gain: figures.aiq - start.aiq }]
    })
    this.#known.set(key, tuned)
    return tuned
  }

  /** Checks that the sweep chooses as the product does, and how long learning takes. */
  checks(): Measurement[] {
    const differing = this.#pools.flatMap(({ pool, splits: [split] }) => {
      if (!split) return []
      const expected = expectTuned(pool, split, { count: 300, isNamed: true })
      return [
        { qualityTolerance: 0.08, qualityPerUsd: 0 },
        { qualityTolerance: 0, qualityPerUsd: 30 },
      ].map((parameters) => differingChoices(expected, parameters))
    })
    return [
      row('tuning: choices of the sweep that differ from the product’s', [sum(differing), ''], {
        target: { atMost: 0 },
      }),
      row('tuning: what 1,000 judged prompts of 12 models teach, p50', [learningTimeMs(), 'ms']),
    ]
  }

  #startOf({ name }: TunablePool): SweepFigures {
    const [start] = this.tuned({ count: 0 }).filter(({ pool }) => pool === name)
    if (!start) throw new Error(`${name} has no start`)
    return start
  }
}

function goalRows(at: (count: number) => readonly Tuned[]): Measurement[] {
  const meanGain = (count: number) => mean(at(count).map(({ gain }) => gain))
  const worstGain = (count: number) => Math.min(...at(count).map(({ gain }) => gain))
  const gainRow = (count: number, figure: string, [gain, atLeast]: readonly [number, number]) =>
    row(`tuning, ${count} judged prompts: AIQ gained, ${figure}`, [gain, ''], { goal: { atLeast } })
  return [
    gainRow(100, 'mean of the pools', [meanGain(100), 0.6]),
    gainRow(100, 'worst pool', [worstGain(100), -0.1]),
    gainRow(300, 'mean of the pools', [meanGain(300), 1.5]),
    gainRow(300, 'worst pool', [worstGain(300), 0.3]),
    gainRow(30, 'worst pool', [worstGain(30), -0.2]),
    gainRow(10, 'worst pool', [worstGain(10), -0.4]),
    ...at(100).map(({ pool, brier }) =>
      row(`${pool}, 100 judged prompts: Brier score`, [brier, ''], goalOf(pool, 'brier')),
    ),
  ]
}

function unratedRows(tuned: readonly Tuned[]): Measurement[] {
  return tuned.map(({ pool, gain }) =>
    row(
      `${pool}, 300 judged prompts of models without ratings: AIQ gained over ratings`,
      [gain, ''],
      goalOf(pool, 'unratedGain'),
    ),
  )
}

/** Grades flipped at random. The estimator knows the error rate, except where nothing is corrected. */
function judgeRows(bench: TuningBench, exact: readonly Tuned[]): Measurement[] {
  const meanOf = (tuned: readonly Tuned[], figure: 'gain' | 'kept') =>
    mean(tuned.map((one) => one[figure]))
  const keptExactly = meanOf(exact, 'kept')
  const erring = [0.1, 0.2].flatMap((flipped) =>
    [100, 300].map((count) => ({ count, flipped, errorRate: flipped })),
  )
  return [...erring, { count: 300, flipped: 0.2, errorRate: 0 }].flatMap((options) => {
    const { count, flipped, errorRate } = options
    const tuned = bench.tuned(options)
    const judge = `${100 * flipped} % of grades flipped${errorRate === 0 ? ', not corrected' : ''}`
    const what = `tuning, ${count} judged prompts, ${judge}`
    const isGoal = count === 300 && errorRate === 0.2
    const goal = (atLeast: number) => (isGoal ? { goal: { atLeast } } : {})
    const gained = row(`${what}: AIQ gained, mean`, [meanOf(tuned, 'gain'), ''], goal(0.4))
    if (count !== 300) return [gained]
    const difference = meanOf(tuned, 'kept') - keptExactly
    const against = `${what}: cost_optimized, quality kept against an exact judge`
    return [gained, row(against, [difference, 'points'], goal(-0.5))]
  })
}

function goalOf(pool: string, figure: keyof PoolGoals): { goal?: Bound } {
  const [, goals] = goalsOf.find(([start]) => pool.startsWith(start)) ?? []
  const bound = goals?.[figure]
  if (bound === undefined) return {}
  return { goal: figure === 'brier' ? { atMost: bound } : { atLeast: bound } }
}

/** @param after  what was judged */
function figureRows({ pool, aiq, savedAt95, kept, saved }: Tuned, after: string): Measurement[] {
  const what = `${pool}, ${after}`
  const goal = (figure: keyof PoolGoals) =>
    after === judgedPrompts(300) ? goalOf(pool, figure) : {}
  return [
    row(`${what}: AIQ`, [aiq, '']),
    row(`${what}: cost saved at 95 % by pace`, [savedAt95, '%'], goal('savedAt95')),
    row(`${what}: a tolerance of 0.08, quality kept`, [kept, '% of the best model'], goal('kept')),
    row(`${what}: a tolerance of 0.08, cost saved`, [saved, '%']),
  ]
}

function judgedPrompts(count: number): string {
  return `${count} judged prompts`
}

/** Means of the figures. Where 95 % is not reached, nothing is saved. */
function meanFigures(figures: readonly SweepFigures[]): SweepFigures {
  const meanOf = (figure: keyof SweepFigures) =>
    mean(figures.map((one) => (Number.isNaN(one[figure]) ? 0 : one[figure])))
  return {
    aiq: meanOf('aiq'),
    savedAt95: meanOf('savedAt95'),
    kept: meanOf('kept'),
    saved: meanOf('saved'),
    brier: meanOf('brier'),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
