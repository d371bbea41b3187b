/**
 * What `cost_optimized` keeps and saves on the first day and after some judged prompts, while its account opens with
 * the first request. Twenty cuts of each pool in two, both halves in turn, in random order: after some judged prompts, what one
 * half saves differs from the next by up to 18 points.
 */
import { order } from '../../src/service/routing/order.ts'
import { sampleParameters } from '../../test/routing/sample-candidates.ts'
import type { Contender } from '../../src/service/routing/strategies/strategy.ts'
import type { Bound, Measurement } from '../measurement.ts'
import { row } from '../row.ts'
import { spendAccount } from './account.ts'
import type { Expectation } from './fold.ts'
import { mean } from '../../training/reader/mean.ts'
import { bestOf, type Pool } from './pool.ts'
import { shuffled } from '../../training/reader/random.ts'
import type { Readers } from './readers.ts'
import {
  expectationsTuned,
  splitOf,
  toTunable,
  type Split,
  type TunablePool,
} from './tuned-pool.ts'

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

/** Figures of one pool after some judged prompts. */
interface Spent {
  pool: string
  /**
   * Quality in per cent of the model expected to be best, and of the truly best; the per cent of its cost that is
   * saved.
   */
  keptOfExpected: number
  kept: number
  saved: number
}

export function measureAccount(pools: readonly Pool[], readers: Readers): Measurement[] {
  if (pools.length === 0) return []
  const tunable = pools.map((pool) => toTunable(pool, readers))
  const after = (count: number) => tunable.map((pool) => spendIn(pool, count))
  return [
    ...[0, 10, 30].flatMap((count) =>
      rowsOf(after(count), named(count), { figure: 'keptOfExpected', least: 94.5, saved: 30 }),
    ),
    ...[100, 300].flatMap((count) =>
      rowsOf(after(count), named(count), { figure: 'kept', least: 95, saved: 45 }),
    ),
  ]
}

function named(count: number): string {
  return count === 0 ? 'first day' : `${count} judged prompts`
}

interface Bar {
  figure: 'kept' | 'keptOfExpected'
  least: number
  saved: number
}

const ofModel = { kept: 'the best model', keptOfExpected: 'the model expected to be best' } as const

function rowsOf(
  spent: readonly Spent[],
  when: string,
  { figure, least, saved }: Bar,
): Measurement[] {
  const what = `cost_optimized by its account, ${when}`
  const atLeast = (bound: number): { goal: Bound } => ({ goal: { atLeast: bound } })
  return [
    ...spent.map((one) =>
      row(
        `${one.pool}, ${what}: quality kept`,
        [one[figure], `% of ${ofModel[figure]}`],
        atLeast(least),
      ),
    ),
    ...(figure === 'kept'
      ? []
      : spent.map((one) =>
          row(`${one.pool}, ${what}: quality kept`, [one.kept, `% of ${ofModel.kept}`]),
        )),
    ...spent.map((one) => row(`${one.pool}, ${what}: cost saved`, [one.saved, '%'])),
    row(
      `${what}: cost saved, mean of the pools`,
      [mean(spent.map((one) => one.saved)), '%'],
      atLeast(saved),
    ),
  ]
}

function spendIn(pool: TunablePool, count: number): Spent {
  const runs = seeds.flatMap((seed) =>
    ([0, 1] as const).map((half) => {
      const split = splitOf(pool, seed, half)
      return figuresOf(shuffled(expectationsTuned(pool, split, { count }), seed), split)
    }),
  )
  const meanOf = (figure: Bar['figure'] | 'saved') => mean(runs.map((run) => run[figure]))
  return {
    pool: pool.name,
    keptOfExpected: meanOf('keptOfExpected'),
    kept: meanOf('kept'),
    saved: meanOf('saved'),
  }
}

function figuresOf(requests: readonly Expectation[], { decided }: Split): Omit<Spent, 'pool'> {
  const chosen = spendAccount(requests.map(({ contenders }) => contenders))
  const expected = requests.map(
    ({ contenders }) => order(contenders, 'quality_optimized', sampleParameters)[0],
  )
  const best = bestOf(decided.alone)
  const places = (contenders: readonly (Contender | undefined)[]) =>
    contenders.map((one) => one?.position ?? 0)
  const meanAt = (at: readonly number[], figure: 'scores' | 'costsNanoUsd') =>
    mean(requests.map((request, index) => request.row[figure][at[index] ?? 0] ?? 0))
  const quality = meanAt(places(chosen), 'scores')
  const cost = meanAt(places(chosen), 'costsNanoUsd')
  const ofExpected = meanAt(places(expected), 'scores')
  return {
    keptOfExpected: (100 * quality) / ofExpected,
    kept: (100 * quality) / best.quality,
    saved: 100 * (1 - cost / best.cost),
  }
}
