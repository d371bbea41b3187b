import { describe, expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import type { Model } from '../../../shared/entities.ts'
import { rangeBetween, type UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { decisionsOf, filterOfSeries, otherSeries, unansweredSeries } from './decisions.ts'
import { carbonOf } from './carbon.ts'
import { filterOfBucket } from './chart-text.ts'
import { costLatencyMap } from './cost-latency.ts'
import { latencyOf, markedFailures } from './latency.ts'
import { limitUse, utcDay } from './limit.ts'
import { outcomesOf } from './outcomes.ts'
import { dearestModel, savingOf } from './savings.ts'
import { tokensOf } from './tokens.ts'
import { spendOf } from './spend.ts'

const colourOf = () => ({ color: 'red', isHatched: false })

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
    const { models, countIn, buckets } = decisionsOf(report, range, { base: {}, colourOf })

    expect(models.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `a:${index}`),
      otherSeries,
    ])
    expect(models.reduce((sum, { requests }) => sum + requests, 0)).toBe(report.total.requests)
    expect(buckets.slice(0, 1).map((bucket) => countIn(otherSeries, bucket))).toEqual([
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
    const { models, text } = decisionsOf(report, range, { base: { routerId: 'r' }, colourOf })
    expect(models).toContainEqual(
      expect.objectContaining({ name: unansweredSeries, label: 'No answer', requests: 2 }),
    )
    expect(text.sentence).toBe(
      'a:x was chosen most: 60 % of 5 requests. For 2, no model began to answer.',
    )
    expect(text.table.rows.map(({ filter }) => filter)).toEqual([
      { routerId: 'r', fromMs: 0, toMs: hourMs },
    ])
  })

  test('no filter selects the other models', () => {
    expect(filterOfSeries(otherSeries, { routerId: 'r' })).toBeNull()
    expect(filterOfSeries('a:x', { routerId: 'r' })).toEqual({ routerId: 'r', model: 'a:x' })
  })

  test('a chart of failures alone says so', () => {
    const report = sampleReport([
      { startMs: 0, groups: { '': emptyFigures({ requests: 2, failed: 2 }) } },
    ])
    expect(decisionsOf(report, range, { base: {}, colourOf }).text.sentence).toBe(
      '2 requests, none of them answered.',
    )
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
      ['400 ms', '900 ms', '1 s', '9', '0'],
      ['—', '—', '—', '0', '1'],
    ])
  })
})

test('failures are marked where they stand out, not in every bucket', () => {
  expect(markedFailures([0, 1, 0, 0])).toEqual([false, true, false, false])
  expect(markedFailures([1, 1, 1, 1])).toEqual([false, false, false, false])
  expect(markedFailures([1, 1, 9, 1])).toEqual([false, false, true, false])
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

  test('vectors stay with their model, and only the tokens of chats are priced', () => {
    const model = priced({ inputUsdPerMtok: 2, outputUsdPerMtok: 10, capabilities: [] })
    const vectors = { ...model, id: 'a:vectors', capabilities: ['embeddings' as const] }
    const million = { input: 1e6, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
    const groups = {
      'a:x': emptyFigures({ requests: 1, costUsd: 0.5, tokens: million }),
      'a:vectors': emptyFigures({ requests: 9, costUsd: 0.2, tokens: { ...million, input: 9e6 } }),
    }
    const mixed = sampleReport([{ startMs: 0, groups }])
    const options = { model, models: [model, vectors], nowMs: 0 }
    const saving = savingOf(mixed, bucketsOf(mixed, range), options)
    expect(saving.alwaysUsd).toBeCloseTo(2.2, 9)
    expect(saving.savedUsd).toBeCloseTo(1.5, 9)
    expect(saving.bucketsUsd?.[0]).toBeCloseTo(2.2, 9)
  })

  test('a cheaper model is compared with what was spent', () => {
    const model = priced({ inputUsdPerMtok: 0, outputUsdPerMtok: 1 })
    const saving = savingOf(spent, bucketsOf(spent, range), { model, nowMs: 0 })
    expect(spendOf(spent, range, { ...noText, saving }).text.sentence).toContain(
      'Always b:y would have cost $3.00 less (75 %).',
    )
  })

  test('a model without a price saves an unknown amount', () => {
    const model = priced({ inputUsdPerMtok: null, outputUsdPerMtok: null })
    const saving = savingOf(spent, bucketsOf(spent, range), { model, nowMs: 0 })
    expect(saving).toMatchObject({ alwaysUsd: null, savedUsd: null, bucketsUsd: null })
    expect(spendOf(spent, range, { ...noText, saving }).text.sentence).toContain(
      'Saved against always b:y: —, it has no price.',
    )
    expect(dearestModel(spent, [model], { nowMs: 0 })).toBeNull()
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
    expect(within(40).text.sentence).toContain('Spending is at 40 % of the budget’s even pace.')
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
  test('every request has one outcome, and a fallback is also an answer', () => {
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
    const exclusive = lanes.filter(({ outcome }) => outcome.end !== 'fallback')
    expect(exclusive.reduce((sum, { total }) => sum + total, 0)).toBe(13)
    expect(new Set(lanes.map(({ outcome }) => outcome.color)).size).toBe(3)
    expect(text.sentence).toBe(
      '62 % of 13 requests were answered. Fallbacks answered 25 % of them. 1 over a limit, 2 refused, 1 failed, 1 aborted by the caller.',
    )
  })
})

describe('cost and latency', () => {
  const answered = (costUsd: number, p95: number) =>
    emptyFigures({
      requests: 2,
      answered: 2,
      costUsd,
      tokens: { input: 900, cacheRead: 50, cacheWrite: 0, output: 40, reasoning: 10 },
      latencyMs: { ...quick, p95 },
    })

  test('a model is on the front when no other is both cheaper and faster', () => {
    const groups = {
      'a:cheap': answered(0.001, 3_000),
      'a:beaten': answered(0.002, 4_000),
      'a:fast': answered(0.003, 500),
      '': emptyFigures({ requests: 4, failed: 4 }),
    }
    const { points, text } = costLatencyMap(sampleReport([{ startMs: 0, groups }]), {
      routerId: 'r',
    })
    expect(points.map(({ model, isOnFront }) => [model, isOnFront])).toEqual([
      ['a:cheap', true],
      ['a:beaten', false],
      ['a:fast', true],
    ])
    expect(text.sentence).toBe(
      'a:cheap is the cheapest ($0.001 per 1,000 tokens), a:fast the fastest (p95 500 ms). For 1 model another one is both cheaper and faster.',
    )
    expect(text.table.rows[0]?.filter).toEqual({ routerId: 'r', model: 'a:cheap' })
  })

  test('free models have a place on a logarithmic axis', () => {
    const groups = {
      'a:free': answered(0, 900),
      'a:x': answered(0.0001, 800),
      'a:y': answered(1, 700),
    }
    const { costs } = costLatencyMap(sampleReport([{ startMs: 0, groups }]), {})
    const places = [0, 0.0001, 1].map((usd) => costs.position(usd))
    expect(costs.marks[0]).toBe(0)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(places).size).toBe(3)
  })
})

describe('carbon', () => {
  test('grams per 1,000 tokens are those of the bucket, over tokens of all classes', () => {
    const figures = emptyFigures({
      requests: 1,
      answered: 1,
      carbonGrams: 0.5,
      carbonLowGrams: 0.2,
      carbonHighGrams: 2,
      tokens: { input: 500, cacheRead: 200, cacheWrite: 100, output: 100, reasoning: 100 },
    })
    const report = sampleReport([
      { startMs: 0, groups: { 'a:x': figures } },
      { startMs: 2 * hourMs, groups: { 'a:x': figures } },
    ])
    const { gramsPerKtok, text } = carbonOf(report, range, { base: {} })
    expect(gramsPerKtok).toEqual([0.5, null, 0.5, null, null, null])
    expect(text.sentence).toBe(
      'Estimate: ≈ 1 g CO₂e, between 0.4 g and 4 g, ≈ 0.5 g per 1,000 tokens.',
    )
  })
})

describe('daily limit', () => {
  const today = utcDay(5 * hourMs)
  const used = (requests: number) =>
    sampleReport([
      { startMs: hourMs, groups: { '': emptyFigures({ requests: 4 }) } },
      { startMs: 3 * hourMs, groups: { '': emptyFigures({ requests: requests + 7, limited: 7 }) } },
    ])

  test('the rate of the last three hours says when the limit is reached', () => {
    const input = { dailyLimit: 100, usedToday: 34, nowMs: 5 * hourMs, base: {} }
    const { reachedAtMs, used: line, expected, times } = limitUse(used(30), today, input)
    // 30 requests in the three hours since 2:00, and 66 are left.
    expect(reachedAtMs).toBe(5 * hourMs + (66 / 30) * 3 * hourMs)
    expect(line.slice(-2)).toEqual([34, null])
    expect(expected?.slice(-2)).toEqual([34, 100])
    expect(times.at(-1)).toBe(reachedAtMs)
  })

  test('a limit that lasts is not said to be reached, and one that is reached says so', () => {
    const within = (dailyLimit: number) =>
      limitUse(used(6), today, { dailyLimit, usedToday: 10, nowMs: 5 * hourMs, base: {} })
    expect(within(1_000).reachedAtMs).toBeNull()
    expect(within(1_000).text.sentence).toContain('10 of 1,000 requests used today (1 %).')
    expect(within(10).text.sentence).toContain('The limit is reached')
    expect(within(10).expected).toBeNull()
  })

  test('requests of the ledger that do not count, as those of a tuning run, do not use the limit', () => {
    const input = { dailyLimit: 100, usedToday: 12, nowMs: 5 * hourMs, base: {} }
    const { text, used: line, reachedAtMs } = limitUse(used(116), today, input)
    expect(text.sentence).toContain('12 of 100 requests used today (12 %).')
    expect(line.slice(-3)).toEqual([12, 12, null])
    expect(reachedAtMs).toBeNull()
  })
})

test('tokens of the cache and of reasoning are separate series', () => {
  const tokens = { input: 600, cacheRead: 300, cacheWrite: 100, output: 80, reasoning: 20 }
  const report = sampleReport([
    { startMs: 0, groups: { 'a:x': emptyFigures({ requests: 1, estimated: 1, tokens }) } },
    { startMs: hourMs, groups: { 'a:x': emptyFigures({ requests: 1, tokens }) } },
  ])
  const { classes, text } = tokensOf(report, range, {})
  expect(classes.map(({ total }) => total)).toEqual([1_200, 600, 200, 160, 40])
  expect(text.sentence).toBe(
    "2K prompt and 200 answer tokens. 30 % of the prompt came from providers' caches. Tokens of 1 request are estimated.",
  )
})

test('a report without requests gives no rows and says so', () => {
  const empty = sampleReport([])
  const texts = [
    decisionsOf(empty, range, { base: {}, colourOf }),
    latencyOf(empty, range, { measure: 'total', base: {} }),
    spendOf(empty, range, noText),
    outcomesOf(empty, range, {}),
    costLatencyMap(empty, {}),
    carbonOf(empty, range, { base: {} }),
    tokensOf(empty, range, {}),
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

test('a bucket at the edge of a chosen time leads to the requests that it counts', () => {
  const fromMs = Date.UTC(2025, 0, 1)
  const toMs = Date.UTC(2026, 0, 1)
  const chosen = rangeBetween(fromMs, toMs)
  const buckets = bucketsOf(sampleReport([]), chosen)
  const filters = buckets.map((bucket) => filterOfBucket(bucket, {}))
  expect(chosen.fromMs).toBeLessThan(fromMs)
  expect(filters[0]).toEqual({ fromMs, toMs: chosen.fromMs + chosen.bucketMs })
  expect(filters.at(-1)?.toMs).toBe(toMs)
})
