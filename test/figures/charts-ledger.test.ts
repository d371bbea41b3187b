/** What the charts show of a ledger of 10,000 requests, compared with figures computed from its rows. */
import { expect, test } from 'vitest'
import { lineValues } from '../../src/renderer/src/charts/buckets.ts'
import { carbonOf } from '../../src/renderer/src/charts/carbon.ts'
import { costLatencyMap } from '../../src/renderer/src/charts/cost-latency.ts'
import { decisionsOf, unansweredSeries } from '../../src/renderer/src/charts/decisions.ts'
import { latencyOf } from '../../src/renderer/src/charts/latency.ts'
import { outcomesOf } from '../../src/renderer/src/charts/outcomes.ts'
import { spendOf } from '../../src/renderer/src/charts/spend.ts'
import { tokensOf } from '../../src/renderer/src/charts/tokens.ts'
import type { UsageRange } from '../../src/renderer/src/usage/range.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { formatDuration } from '../../src/shared/strings/format.ts'
import { firstMs, openFilled, spanMs } from '../storage/random-ledger.ts'

const colourOf = () => ({ color: 'red', isHatched: false })

const hourMs = 3_600_000
const range: UsageRange = {
  name: '7d',
  fromMs: firstMs,
  toMs: firstMs + spanMs,
  bucketMs: 3 * hourMs,
  offsetMs: 0,
}

/** No requests in one bucket, and in two that follow each other. */
const emptyBuckets = [10, 20, 21]
const bucketOf = ({ startedAtMs }: RequestRecord) =>
  Math.floor((startedAtMs - range.fromMs) / range.bucketMs)

/** A request of an empty bucket moves to the one before the gap. */
function leaveGaps(record: RequestRecord): RequestRecord {
  let startedAtMs = record.startedAtMs
  while (emptyBuckets.includes(bucketOf({ ...record, startedAtMs }))) startedAtMs -= range.bucketMs
  return { ...record, startedAtMs }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const exactQuantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0
/** Histograms have steps of 4.4 %. */
const isClose = (value: number, exact: number) =>
  Math.abs(Math.log(value / exact)) < Math.log(1.045)

test('every chart shows the sums, maxima and quantiles of 10,000 rows, with gaps where there are none', async () => {
  const { records, report: ask } = await openFilled(10_000, leaveGaps)
  const { name: _, ...within } = range
  const report = await ask({ ...within, group: 'model' })
  const rowsOf = Map.groupBy(records, bucketOf)
  const buckets = Array.from(
    { length: spanMs / range.bucketMs },
    (_each, index) => rowsOf.get(index) ?? [],
  )
  const answered = records.filter(({ status }) => status < 400)
  const usd = ({ costNanoUsd }: RequestRecord) => costNanoUsd / 1e9

  const latency = latencyOf(report, range, { measure: 'total', base: {} })
  for (const [index, rows] of buckets.entries()) {
    const latencies = rows.flatMap(({ status, latencyMs }) => (status < 400 ? latencyMs : []))
    const quantiles = latency.quantiles[index]
    expect(quantiles === null).toBe(latencies.length === 0)
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const)
      expect(!quantiles || isClose(quantiles[name], exactQuantile(latencies, share))).toBe(true)
    expect(latency.failures[index]).toBe(rows.length - latencies.length)
  }
  expect(latency.text.sentence).toContain(
    `the longest ${formatDuration(Math.max(...answered.map(({ latencyMs }) => latencyMs)))}.`,
  )
  const drawn = lineValues(latency.quantiles.map((each) => each?.p50 ?? null))
  expect(emptyBuckets.map((index) => drawn[index])).toEqual([undefined, null, null])

  const { spentUsd } = spendOf(report, range, {
    base: {},
    budget: null,
    forecast: null,
    saving: null,
  })
  for (const index of buckets.keys())
    expect(spentUsd[index + 1]).toBeCloseTo(
      sum(
        buckets
          .slice(0, index + 1)
          .flat()
          .map(usd),
      ),
      6,
    )

  const decisions = decisionsOf(report, range, { base: {}, colourOf })
  for (const { name, requests } of decisions.models) {
    const isOf = ({ modelUsed }: RequestRecord) => (modelUsed ?? unansweredSeries) === name
    expect(requests).toBe(records.filter(isOf).length)
    expect(decisions.buckets.map((bucket) => decisions.countIn(name, bucket))).toEqual(
      buckets.map((rows) => rows.filter(isOf).length),
    )
  }

  const byEnd = {
    answered: ({ status }: RequestRecord) => status < 400,
    fallback: ({ status, fallbackFrom }: RequestRecord) => status < 400 && fallbackFrom !== null,
    limited: ({ status }: RequestRecord) => status === 429,
    refused: ({ status }: RequestRecord) => status === 404,
    failed: ({ status }: RequestRecord) => status === 502,
    aborted: ({ status }: RequestRecord) => status === 499,
  }
  const { lanes } = outcomesOf(report, range, {})
  expect(lanes.map(({ outcome }) => outcome.end)).toEqual(Object.keys(byEnd))
  for (const { outcome, counts } of lanes)
    expect(counts).toEqual(buckets.map((rows) => rows.filter(byEnd[outcome.end]).length))

  // Each sample row has 10 prompt and 20 completion tokens and 0.25 g.
  const carbon = carbonOf(report, range, { base: {} })
  expect(carbon.gramsPerKtok.map((grams) => grams && Math.round(grams * 1e6) / 1e6)).toEqual(
    buckets.map((rows) => (rows.length === 0 ? null : Math.round((0.25 / 30) * 1e9) / 1e6)),
  )
  expect(tokensOf(report, range, {}).classes.map(({ total }) => total)).toEqual([100_000, 200_000])

  for (const { model, usdPerKtok, p95Ms, requests } of costLatencyMap(report, {}).points) {
    const rows = records.filter(({ modelUsed }) => modelUsed === model)
    const latencies = rows.flatMap(({ status, latencyMs }) => (status < 400 ? latencyMs : []))
    expect(requests).toBe(rows.length)
    expect(usdPerKtok).toBeCloseTo(sum(rows.map(usd)) / (rows.length * 0.03), 6)
    expect(isClose(p95Ms, exactQuantile(latencies, 0.95))).toBe(true)
  }
})
