import { expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import type { ReplayReport } from '../../../shared/routers/replay.ts'
import type { UsageRange } from '../usage/range.ts'
import { carbonOf } from './carbon.ts'
import { costLatencyMap } from './cost-latency.ts'
import { draftOverlay, draftShare } from './draft-overlay.ts'
import { decisionsOf, legendRows } from './decisions.ts'
import { latencyOf } from './latency.ts'
import { spendOf } from './spend.ts'

const colourOf = () => ({ color: 'red', isHatched: false })

const hourMs = 3_600_000
const range: UsageRange = {
  name: '24h',
  fromMs: 0,
  toMs: 2 * hourMs,
  bucketMs: hourMs,
  offsetMs: 0,
}
const latencyMs = { mean: 500, p50: 400, p95: 1_000, p99: 1_000, max: 1_200 }
const figures = emptyFigures({
  requests: 4,
  answered: 4,
  costUsd: 2,
  carbonGrams: 3,
  latencyMs,
  tokens: { input: 500, cacheRead: 0, cacheWrite: 0, output: 500, reasoning: 0 },
})
const report = sampleReport([
  { startMs: 0, groups: { 'a:large': figures } },
  { startMs: hourMs, groups: { 'a:large': figures } },
])
const band = (mid: number) => ({ low: mid, mid, high: mid })
const none = { failed: 0, pinned: 0, from_cache: 0, cascade: 0, embeddings: 0, not_recorded: 0 }
const replay: ReplayReport = {
  strategy: 'cost_optimized',
  requests: 10,
  replayed: 8,
  skipped: { ...none, no_model: 0 },
  changed: 6,
  actual: { costUsd: 4, latencyMs: 500, carbonGrams: 1, quality: 0.8 },
  expected: { costUsd: band(1), latencyMs: band(700), carbonGrams: band(1.5), quality: band(0.7) },
  latencyP95Ms: { actual: 1_000, expected: 1_500 },
  models: [
    { model: 'a:small', actual: 0, expected: 6 },
    { model: 'a:large', actual: 8, expected: 2 },
  ],
  isCut: false,
}
const draft = draftOverlay(replay)
const noText = { base: {}, budget: null, forecast: null, saving: null }

test('spend has one level of the draft, which its sentence tells too', () => {
  const { draftUsd, scale, text } = spendOf(report, range, { ...noText, draft })
  expect(draftUsd).toBe(1)
  expect(scale.max).toBeGreaterThanOrEqual(4)
  expect(text.sentence).toContain(
    'With the unsaved settings ≈ $1, estimated from 8 replayed requests.',
  )
  expect(text.table.columns).toEqual(['Time', 'In this time', 'Since the start'])
})

test('latency has one p95 of the draft within its scale, and none for first tokens', () => {
  const { draftP95Ms, scale, text } = latencyOf(report, range, {
    measure: 'total',
    base: {},
    draft,
  })
  expect(draftP95Ms).toBe(1_500)
  expect(scale?.max).toBeGreaterThanOrEqual(1_500)
  expect(text.sentence).toContain('With the unsaved settings ≈ 1.5 s')
  const toFirstToken = latencyOf(report, range, { measure: 'firstToken', base: {}, draft })
  expect(toFirstToken.draftP95Ms).toBeNull()
})

test('the legend of Decisions has models that only the draft would choose', () => {
  const series = [
    { name: 'a:large', label: 'a:large', requests: 6 },
    { name: 'unanswered', label: 'No answer', requests: 2 },
  ]
  expect(legendRows(series, draft)).toEqual([
    { name: 'a:large', label: 'a:large', value: '100 % → 25 %' },
    { name: 'unanswered', label: 'No answer', value: '—' },
    { name: 'a:small', label: 'a:small', value: '0 % → 75 %' },
  ])
  expect(legendRows(series, null).map(({ value }) => value)).toEqual(['75 %', '25 %'])
})

test('carbon has one level of the draft per 1,000 tokens', () => {
  const { draftPerKtok, text } = carbonOf(report, range, { base: {}, draft })
  // 6 g for 2,000 tokens.
  expect(draftPerKtok).toBe(3 * 1.5)
  expect(text.sentence).toContain('With the unsaved settings ≈ ')
})

test('the map and the decisions say which model the draft would choose most', () => {
  const sentence = 'The unsaved settings would choose a:small most: 75 % of 8 replayed requests.'
  expect(costLatencyMap(report, {}, draft).text.sentence).toContain(sentence)
  expect(decisionsOf(report, range, { base: {}, draft, colourOf }).text.sentence).toContain(
    sentence,
  )
  expect(draftShare('a:large', draft)).toBe('100 % → 25 %')
})

test('without a draft, charts are as before', () => {
  expect(spendOf(report, range, noText).draftUsd).toBeNull()
  expect(spendOf(report, range, noText).text.sentence).not.toContain('unsaved')
})

test('free requests have no level of the draft, because nothing can be multiplied', () => {
  const free = draftOverlay({ ...replay, actual: { ...replay.actual, costUsd: 0 } })
  expect(spendOf(report, range, { ...noText, draft: free }).draftUsd).toBeNull()
  expect(draftOverlay({ ...replay, replayed: 0 })).toBeNull()
})
