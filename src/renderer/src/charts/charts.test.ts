import { describe, expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import type { Model } from '../../../shared/entities.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { decisionsOf, otherSeries, unansweredSeries } from './decisions.ts'
import { latencyOf } from './latency.ts'
import { outcomesOf } from './outcomes.ts'
import { dearestModel, savingOf } from './savings.ts'
import { spendOf } from './spend.ts'

const hourMs = 3_600_000
const range: UsageRange = {
  name: '24h',
  fromMs: 0,
  toMs: 6 * hourMs,
  bucketMs: hourMs,
  offsetMs: 0,
}
const quick = { mean: 500, p50: 400, p95: 900, p99: 1_000, max: 1_200 }
const noText = { base: {}, budget: null, forecast: null, saving: null }

describe('decisions', () => {
  test('the seven models with the most requests have a series, and the others share one', () => {
    const groups = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `a:${index}`,
        emptyFigures({ requests: 20 - index }),
      ]),
    )
    const report = sampleReport([{ startMs: 0, groups }])
    const { series, valueOf, buckets } = decisionsOf(report, range, {})

    expect(series.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `a:${index}`),
      otherSeries,
    ])
    expect(series.reduce((sum, { requests }) => sum + requests, 0)).toBe(report.total.requests)
    expect(buckets.slice(0, 1).map((bucket) => valueOf(otherSeries, bucket))).toEqual([
      13 + 12 + 11 + 10 + 9,
    ])
  })

  test('requests without an answer are drawn and counted', () => {
    const report = sampleReport([
      {
        startMs: 0,
        groups: {
          'a:x': emptyFigures({ requests: 3 }),
          '': emptyFigures({ requests: 2, failed: 2 }),
        },
      },
    ])
    const { series, text } = decisionsOf(report, range, { routerId: 'r' })
    expect(series).toContainEqual({ name: unansweredSeries, label: 'No answer', requests: 2 })
    expect(text.sentence).toBe('a:x was chosen most: 60 % of 5 requests. 2 without an answer.')
    expect(text.table.rows.map(({ filter }) => filter)).toEqual([
      { routerId: 'r', fromMs: 0, toMs: hourMs },
    ])
  })

  test('only failures are told as such', () => {
    const report = sampleReport([
      { startMs: 0, groups: { '': emptyFigures({ requests: 2, failed: 2 }) } },
    ])
    expect(decisionsOf(report, range, {}).text.sentence).toBe('2 requests, none of them answered.')
  })
})

describe('latency', () => {
  test('the sentence and the table tell the figures of the report, not means of buckets', () => {
    const report = sampleReport([
      {
        startMs: 0,
        groups: { 'a:x': emptyFigures({ requests: 9, answered: 9, latencyMs: quick }) },
      },
      { startMs: 3 * hourMs, groups: { 'a:x': emptyFigures({ requests: 1, limited: 1 }) } },
    ])
    report.total.latencyMs = { ...quick, max: 60_000 }
    const { text, quantiles, failures } = latencyOf(report, range, { measure: 'total', base: {} })
    expect(quantiles).toEqual([quick, null, null, null, null, null])
    expect(failures).toEqual([0, 0, 0, 1, 0, 0])
    expect(text.sentence).toBe(
      'Half of the answers came within 400 ms, 95 % within 900 ms, the longest 1 min 0 s. 1 request without an answer.',
    )
    expect(text.table.rows.map(({ cells }) => cells.slice(1))).toEqual([
      ['9', '400 ms', '900 ms', '1 s', '0'],
      ['0', '—', '—', '—', '1'],
    ])
  })

  test('one bucket with answers is told as a number', () => {
    const report = sampleReport([
      {
        startMs: 0,
        groups: { 'a:x': emptyFigures({ requests: 9, answered: 9, latencyMs: quick }) },
      },
    ])
    const { text } = latencyOf(report, range, { measure: 'total', base: {} })
    expect(text.single).toEqual({
      value: '400 ms',
      detail: 'median of 9 answers, 95 % within 900 ms',
    })
  })
})

describe('spend', () => {
  const tokens = {
    input: 1_000_000,
    cacheRead: 200_000,
    cacheWrite: 0,
    output: 500_000,
    reasoning: 0,
  }
  const spent = sampleReport([
    { startMs: hourMs, groups: { 'a:x': emptyFigures({ requests: 1, costUsd: 1, tokens }) } },
    { startMs: 4 * hourMs, groups: { 'a:x': emptyFigures({ requests: 1, costUsd: 3, tokens }) } },
  ])

  test('the line is the sum so far, also in hours without requests', () => {
    expect(spendOf(spent, range, noText).spentUsd).toEqual([0, 0, 1, 1, 1, 4, 4])
  })

  test('always another model is priced from the same token classes', () => {
    const model = priced({ inputUsdPerMtok: 2, outputUsdPerMtok: 10, cacheReadUsdPerMtok: 0.5 })
    const saving = savingOf(spent, bucketsOf(spent, range), { model, nowMs: 0 })
    expect(saving.alwaysUsd).toBeCloseTo(2 * (2 + 0.1 + 5), 9)
    const { text, alwaysUsd } = spendOf(spent, range, { ...noText, saving })
    expect(alwaysUsd?.at(-1)).toBeCloseTo(14.2, 9)
    expect(text.sentence).toContain('Saved $10.20 (72 %) against always b:y.')
  })

  test('a model without a price saves an unknown amount', () => {
    const model = priced({ inputUsdPerMtok: null, outputUsdPerMtok: null })
    const saving = savingOf(spent, bucketsOf(spent, range), { model, nowMs: 0 })
    expect(saving).toMatchObject({ alwaysUsd: null, savedUsd: null, bucketsUsd: null })
    expect(spendOf(spent, range, { ...noText, saving }).text.sentence).toContain(
      'Saved against always b:y: —, it has no price.',
    )
    expect(dearestModel(spent, [model], 0)).toBeNull()
  })

  test('a price that applies from a date on counts from then on', () => {
    const later = { inputUsdPerMtok: 0, outputUsdPerMtok: 0, startsAtMs: 5, hoursUtc: null }
    const model = priced({ inputUsdPerMtok: 2, outputUsdPerMtok: 10, timedPrices: [later] })
    const before = savingOf(spent, [], { model, nowMs: 4 })
    const after = savingOf(spent, [], { model, nowMs: 5 })
    expect([before.alwaysUsd, after.alwaysUsd]).toEqual([14.8, 0])
  })

  test('an even use of the budget is drawn where it does not flatten the spend', () => {
    const within = (budgetUsdPerDay: number) =>
      spendOf(spent, range, { ...noText, budget: { budgetUsdPerDay, budgetUsdPerMonth: null } })
    expect(within(40).budgetUsd?.at(-1)).toBe(10)
    expect(within(4_000).budgetUsd).toBeNull()
    expect(within(40).text.sentence).toContain('This is 40 % of an even use of the budget.')
  })

  test('the forecast begins where the spend ends', () => {
    const forecast = { usdPerDay: 24, days: 7, spentUsd: 4, monthUsd: 90, sentence: 'Forecast.' }
    const { forecastUsd, spentUsd, times } = spendOf(spent, range, { ...noText, forecast })
    expect(spentUsd.slice(-2)).toEqual([4, null])
    expect(forecastUsd?.slice(-3)).toEqual([null, 4, 5])
    expect(times.at(-1)).toBe(7 * hourMs)
  })
})

describe('outcomes', () => {
  test('every request has one outcome', () => {
    const report = sampleReport([
      {
        startMs: 0,
        groups: {
          'a:x': emptyFigures({ requests: 10, answered: 8, fallbacks: 2, limited: 1, failed: 1 }),
          '': emptyFigures({ requests: 3, refused: 2, aborted: 1 }),
        },
      },
    ])
    const { lanes, text } = outcomesOf(report, range, {})
    expect(lanes.reduce((sum, { total }) => sum + total, 0)).toBe(13)
    expect(text.sentence).toBe(
      '62 % of 13 requests were answered. Fallbacks answered 25 % of them. 1 over a limit, 2 refused, 1 failed, 1 aborted by the caller.',
    )
  })
})

test('a report without requests gives no rows and says so', () => {
  const empty = sampleReport([])
  const texts = [
    decisionsOf(empty, range, {}),
    latencyOf(empty, range, { measure: 'total', base: {} }),
    spendOf(empty, range, noText),
    outcomesOf(empty, range, {}),
  ].map(({ text }) => text)
  for (const { sentence, table } of texts) {
    expect(sentence).toBe('No requests in this range.')
    expect(table.rows).toEqual([])
  }
})

function priced(prices: Partial<Model>): Model {
  const facts = { id: 'b:y', providerId: 'b', timedPrices: [], priceTiers: [] }
  return {
    ...facts,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    ...prices,
  } as Partial<Model> as Model
}
