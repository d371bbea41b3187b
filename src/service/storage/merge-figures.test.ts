import { expect, test } from 'vitest'
import { topicNames } from '../../shared/topics.ts'
import { mergeFigures } from './merge-figures.ts'
import type { LatencyAverage, Lengths, ModelFigures } from './model-statistics.ts'

const minuteMs = 60_000
const nowMs = 1_763_683_200_000

const latency = (over: Partial<LatencyAverage> = {}): LatencyAverage => ({
  atMs: nowMs,
  lnFirstTokenMs: 6,
  lnMsPerToken: 2,
  deviation: 0.2,
  share: 1,
  ...over,
})

const lengths = (ln: number, answers: number): Lengths => ({
  lnTokens: topicNames.map(() => ln),
  answers: topicNames.map(() => answers),
})

const prompts = (weight: number) => ({
  weight,
  tokens: 100 * weight,
  firstTokenMs: 500 * weight,
  squaredTokens: 10_000 * weight,
  tokensByMs: 50_000 * weight,
})

const figures = (over: Partial<ModelFigures> = {}): ModelFigures => ({
  latencies: { stream: latency() },
  prompts: prompts(10),
  lengths: lengths(5, 10),
  ...over,
})

test('the figures of a single writer stay as they are', () => {
  const mine = figures({ lengths: lengths(6, 11) })
  expect(mergeFigures({ base: figures(), mine, stored: figures() })).toBe(mine)
  expect(mergeFigures({ base: figures(), mine: figures(), stored: mine })).toBe(mine)
})

test('a part that only one writer changed keeps its value', () => {
  const merged = mergeFigures({
    base: figures(),
    mine: figures({ lengths: lengths(6, 11) }),
    stored: figures({ latencies: { stream: latency({ lnFirstTokenMs: 7 }) } }),
  })
  expect(merged).toEqual(
    figures({ lengths: lengths(6, 11), latencies: { stream: latency({ lnFirstTokenMs: 7 }) } }),
  )
})

test('answers add up, and lengths are weighted by the answers of each writer', () => {
  const merged = mergeFigures({
    base: figures(),
    mine: figures({ lengths: lengths(6, 11) }),
    stored: figures({ lengths: lengths(4, 13) }),
  })
  expect(merged.lengths).toEqual(lengths(4.5, 14))
})

test('two writers that started from nothing are merged', () => {
  const merged = mergeFigures({
    base: null,
    mine: figures({ lengths: lengths(6, 10) }),
    stored: figures({ lengths: lengths(4, 10) }),
  })
  expect(merged.lengths).toEqual(lengths(5, 20))
})

test('of two latencies the older one counts less', () => {
  const merge = (ageMs: number) =>
    mergeFigures({
      base: null,
      mine: figures({ latencies: { stream: latency({ lnFirstTokenMs: 6 }) } }),
      stored: figures({
        latencies: { stream: latency({ lnFirstTokenMs: 7, atMs: nowMs - ageMs }) },
      }),
    }).latencies.stream?.lnFirstTokenMs
  expect(merge(0)).toBe(6.5)
  expect(merge(10 * minuteMs)).toBeCloseTo(6 + 1 / 3)
  expect(merge(24 * 60 * minuteMs)).toBeCloseTo(6)
})

test('merging the same prompts again and again does not make them weigh more', () => {
  let stored = figures({ prompts: prompts(20) })
  for (let time = 0; time < 10; time += 1)
    stored = mergeFigures({ base: figures(), mine: figures({ prompts: prompts(30) }), stored })
  expect(stored.prompts?.weight).toBeCloseTo(30)
  expect((stored.prompts?.tokens ?? 0) / (stored.prompts?.weight ?? 1)).toBeCloseTo(100)
})
