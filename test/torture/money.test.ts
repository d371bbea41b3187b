/**
 * Money under chance: mixes of doors, routers, agents, hedges, cascades, leaving callers, time limits and faults against
 * small budgets, with vendors that bill as `money/vendors.ts` says. `npm run torture money -- --seed 7` repeats a run.
 */
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { amount, expectMeasured, tortureTimeoutMs } from './amounts.ts'
import { amountsOf, describeExplained, differencesOf, moneyOf } from './money/figures.ts'
import { drawMix } from './money/mix.ts'
import { startMoneyBed } from './money/money-bed.ts'
import { runMix, type MixResult } from './money/run-mix.ts'
import { vendors } from './money/vendors.ts'
import { seed } from './share.ts'

const mixes = amount({ quick: 8, full: 200 })
const requestsPerMix = amount({ quick: 60, full: 80 })
const none = { target: { atMost: 0 } }

test(
  'what vendors bill is recorded, and no budget is exceeded',
  async () => {
    const bed = await startMoneyBed(onTestFinished)
    const results: MixResult[] = []

    for (let index = 0; index < mixes; index += 1) {
      results.push(await runMix(bed, drawMix(seed, index, requestsPerMix)))
    }

    const explained = results.flatMap((result) => result.explained)
    const unnamed = explained.filter(({ unnamedNanoUsd }) => unnamedNanoUsd !== 0)
    const inexact = results.flatMap(({ mix, budgets }) =>
      budgets.filter(({ isExact }) => !isExact).map(({ owner }) => `${mix.index} ${owner}`),
    )
    const asked = new Set(results.flatMap(({ calls }) => calls).map(({ vendor }) => vendor.name))
    expect([...asked].toSorted()).toEqual(vendors.map(({ name }) => name).toSorted())
    expectMeasured(
      [
        row('seed', [seed, '']),
        row('mixes', [mixes, '']),
        ...amountsOf(results),
        ...moneyOf(results),
        row('differences without a name', [unnamed.length, ''], none),
        row('budgets whose rest is not that of the ledger', [inexact.length, ''], none),
        ...differencesOf(results),
      ],
      [...unnamed.map(describeExplained), ...inexact],
    )
  },
  tortureTimeoutMs,
)
