import { expect, test } from 'vitest'
import { busyScene } from '../../../../../test/renderer-harness/scenes.ts'
import { reportOf } from '../../../../../test/renderer-harness/fake-usage.ts'
import { emptyFigures, sampleReport } from '../../../../../test/renderer-harness/sample-report.ts'
import { rangeAt } from '../../usage/range.ts'
import { tileFigures } from './tile-figures.ts'

const nowMs = Date.UTC(2026, 10, 22, 12)
const range = rangeAt('24h', nowMs)
const { requests, models } = busyScene()
const [request] = requests
const context = { range, models, nowMs, before: null }

/** Requests of these hours before now, each of a dollar and of this latency. */
function reportAt(hours: readonly number[], latencyMs: number) {
  if (!request) throw new Error('the scene has no requests')
  const records = hours.map((hour) => {
    const startedAtMs = nowMs - hour * 3_600_000
    return { ...request, startedAtMs, latencyMs, costNanoUsd: 1e9 }
  })
  return reportOf(records, { ...range, fromMs: range.fromMs - 86_400_000, group: 'none' })
}

test('each figure has a text, a change and a value for each bucket', () => {
  const tiles = tileFigures(reportAt([1, 1, 3], 900), {
    ...context,
    before: reportAt([1, 2], 1_800),
  })
  expect(tiles.map(({ name, text, note }) => [name, text, note])).toEqual([
    ['Requests', '3', '+50 % vs. previous 24 h'],
    ['Spend', '$3.00', '+50 % vs. previous 24 h'],
    ['p95 latency', '900 ms', '−50 % vs. previous 24 h'],
    ['CO₂e, estimated', expect.stringContaining('≈'), '+50 % vs. previous 24 h'],
  ])
  expect(tiles[0]?.values).toHaveLength(48)
  expect(tiles[0]?.values.filter((value) => value !== 0)).toEqual([1, 2])
  expect(tiles[2]?.values.filter((value) => value !== null)).toEqual([900, 900])
})

test('without anything to compare there is no change', () => {
  const tiles = tileFigures(reportAt([], 0), { ...context, before: reportAt([1], 900) })
  expect(tiles.map(({ text, note }) => [text, note])).toEqual([
    ['0', null],
    ['$0', null],
    ['—', null],
    ['≈ 0 g', null],
  ])
})

const tokens = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** Requests of a million tokens that cost this in buckets of half an hour. */
function reportOfCosts(...buckets: readonly Record<string, number>[]) {
  const points = buckets.map((costs, index) => {
    const figures = Object.entries(costs).map(([model, costUsd]) => [
      model,
      emptyFigures({ requests: 1, answered: 1, costUsd, tokens }),
    ])
    return { startMs: range.fromMs + index * range.bucketMs, groups: Object.fromEntries(figures) }
  })
  return sampleReport(points)
}

/** The tile of the saving. */
function savedTile(...buckets: readonly Record<string, number>[]) {
  const tiles = tileFigures(reportOfCosts(...buckets), context)
  return tiles.find(({ name }) => name === 'Money saved')
}

test('a saving is measured against the dearest model used, for the same tokens', () => {
  const saved = savedTile({ 'openai:gpt-5-mini': 0.25, 'openai:gpt-5': 1.25 })
  expect(saved).toMatchObject({ text: '$1.00', note: '40 % vs. always openai:gpt-5' })
  expect(saved?.values.slice(0, 2)).toEqual([1, 0])
})

test('a time that cost more saved nothing, and no line is drawn below zero', () => {
  const saved = savedTile({ 'openai:gpt-5-mini': 0.25 }, { 'openai:gpt-5': 1.75 })
  expect(saved).toMatchObject({ text: '$0.50' })
  expect(saved?.values.slice(0, 2)).toEqual([1, 0])
})

test('nothing is said to be saved where the dearest model would have cost less or the same', () => {
  expect(savedTile({ 'openai:gpt-5-mini': 0.25, 'openai:gpt-5': 3 })).toBeUndefined()
  expect(savedTile({ 'openai:gpt-5-mini': 1.25, 'openai:gpt-5': 1.25 })).toBeUndefined()
})

test('nothing is said to be saved when a model that was used is gone, which may have been the dearest', () => {
  const costs = { 'openai:gpt-5-mini': 0.25, 'openai:gpt-5': 1.25, 'openai:gone': 0.1 }
  expect(savedTile(costs)).toBeUndefined()
})

test('one model saves nothing that could be measured', () => {
  const groups = { 'openai:gpt-5': emptyFigures({ requests: 1, costUsd: 1 }) }
  const tiles = tileFigures(sampleReport([{ startMs: range.fromMs, groups }]), context)
  expect(tiles.map(({ name }) => name)).not.toContain('Money saved')
})

test('tokens of a model that makes vectors are not priced as a chat', () => {
  const [known] = models
  if (!known) throw new Error('the scene has no models')
  const vectors = { ...known, id: 'openai:vectors', capabilities: ['embeddings' as const] }
  const costs = { 'openai:gpt-5-mini': 0.25, 'openai:gpt-5': 1.25 }
  const report = reportOfCosts({ ...costs, [vectors.id]: 0.02 })
  const tiles = tileFigures(report, { ...context, models: [...models, vectors] })
  expect(tiles.find(({ name }) => name === 'Money saved')).toMatchObject({
    text: '$1.00',
    note: '40 % vs. always openai:gpt-5',
  })
})
