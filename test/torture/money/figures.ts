/** The figures of many mixes, for the table. */
import type { Measurement } from '../../../bench/measurement.ts'
import { row } from '../../../bench/row.ts'
import { isTorture } from '../amounts.ts'
import type { Explained } from './explain.ts'
import type { MixResult } from './run-mix.ts'

const centNanoUsd = 1e7
const usdNanoUsd = 1e9

/** How much happened, so that a run without faults or callers that leave is noticed. */
export function amountsOf(results: readonly MixResult[]): Measurement[] {
  const outcomes = results.flatMap((result) => result.outcomes)
  const calls = results.flatMap((result) => result.calls)
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length
  const some = { target: { atLeast: 1 } }
  return [
    row('requests', [outcomes.length, ''], some),
    row('of these answered', [count('200'), ''], some),
    row('refused by a budget', [count('402'), ''], some),
    row('left by their callers', [count('left'), ''], some),
    row('without an answer for half a minute', [count('hung'), ''], { target: { atMost: 0 } }),
    row('requests to vendors', [calls.length, ''], some),
    row(
      'of these with a fault',
      [calls.filter(({ plan }) => plan.fault !== null).length, ''],
      some,
    ),
    ...laterOf(calls),
    row('closed before their end', [calls.filter(({ end }) => end === 'left').length, ''], some),
  ]
}

/** So that a form of the mock that no request reaches is noticed; a few mixes need not have each. */
function laterOf(calls: MixResult['calls']): Measurement[] {
  const count = (isIt: (tokens: MixResult['calls'][number]['tokens']) => boolean) =>
    calls.filter(({ tokens }) => isIt(tokens)).length
  const counts = {
    'stored or linked': count(({ named }) => named > 0),
    'with several answers': count(({ choices }) => choices > 1),
    'with answers that are not returned': count(({ choices, returned }) => choices > returned),
    'with searches': count(({ searches }) => searches > 0),
    'in the United States': count((tokens) => tokens.isInUs),
  }
  return Object.entries(counts).map(([what, number]) =>
    row(`of these ${what}`, [number, ''], isTorture ? { target: { atLeast: 1 } } : {}),
  )
}

/** What is billed, known and recorded, and by how much a budget was exceeded at the most. */
export function moneyOf(results: readonly MixResult[]): Measurement[] {
  const sums = results.map(({ explained, budgets }) => ({ ...sumsOf(explained), budgets }))
  const total = (of: (one: Sums) => number) => sum(sums.map(of)) / usdNanoUsd
  const shares = sums.flatMap(({ recorded, knowable }) =>
    knowable > 0 ? [recorded / knowable] : [],
  )
  const over = (of: (one: Sums) => number) =>
    Math.max(
      ...sums.flatMap((one) => one.budgets.map(({ limitNanoUsd }) => of(one) - limitNanoUsd)),
    ) / centNanoUsd
  const oneCent = { target: { atMost: 1 } }
  return [
    row('billed', [total(({ billed }) => billed), 'USD']),
    row('of this knowable', [total(({ knowable }) => knowable), 'USD']),
    row('recorded', [total(({ recorded }) => recorded), 'USD']),
    row('recorded of the knowable, least of a mix', [100 * Math.min(...shares), '%'], {
      target: { atLeast: 99.5 },
    }),
    row(
      'recorded beyond a budget, most',
      [
        Math.max(
          0,
          over(({ recorded }) => recorded),
        ),
        'cents',
      ],
      oneCent,
    ),
    row(
      'billed and knowable beyond a budget, most',
      [
        Math.max(
          0,
          over(({ knowable }) => knowable),
        ),
        'cents',
      ],
      oneCent,
    ),
  ]
}

interface Sums {
  recorded: number
  billed: number
  knowable: number
}

function sumsOf(explained: readonly Explained[]): Sums {
  return {
    recorded: sum(explained.map(({ group }) => group.recordedNanoUsd)),
    billed: sum(explained.map(({ billedNanoUsd }) => billedNanoUsd)),
    knowable: sum(explained.map(({ knowableNanoUsd }) => knowableNanoUsd)),
  }
}

/** Each name with its amount and how many requests have it. */
export function differencesOf(results: readonly MixResult[]): Measurement[] {
  const names = new Map<string, { count: number; nanoUsd: number }>()
  for (const { named } of results.flatMap(({ explained }) => explained)) {
    for (const [name, nanoUsd] of named) {
      const known = names.get(name) ?? { count: 0, nanoUsd: 0 }
      names.set(name, { count: known.count + 1, nanoUsd: known.nanoUsd + nanoUsd })
    }
  }
  return [...names]
    .toSorted(([, a], [, b]) => a.nanoUsd - b.nanoUsd)
    .map(([name, { count, nanoUsd }]) =>
      row(
        `${nanoUsd < 0 ? 'not recorded' : 'recorded beyond the bill'}: ${name} (${count} requests)`,
        [Math.abs(nanoUsd) / usdNanoUsd, 'USD'],
      ),
    )
}

/** Describes a failure: what was asked for the request, and the amounts. */
export function describeExplained(explained: Explained): string {
  const { group, billedNanoUsd, knowableNanoUsd, unnamedNanoUsd } = explained
  const calls = group.calls
    .slice(0, 8)
    .map(({ about, judged }) => `${about} ${Math.round(judged.billed)}`)
  const amounts = `recorded ${group.recordedNanoUsd}, billed ${Math.round(billedNanoUsd)}, knowable ${Math.round(knowableNanoUsd)}, without a name ${Math.round(unnamedNanoUsd)}`
  return `request ${group.name}: ${amounts}; ${group.attempts} attempts: ${calls.join('; ')}`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
