import { expect, test } from 'vitest'
import { topicNames } from '../../shared/routers/topics.ts'
import { mergeFigures, mergeRouterFigures } from './merge-figures.ts'
import type { LatencyAverage, ModelFigures, RouterFigures } from './model-statistics.ts'

const minuteMs = 60_000
const nowMs = 1_763_683_200_000

const times = (ln: number) => ({ lnFirstToken: ln, lnPerToken: ln / 2, share: 0.8 })

const latency = (over: Partial<LatencyAverage> = {}): LatencyAverage => ({
  atMs: nowMs,
  fast: times(1),
  greatestShare: 0.9,
  slow: times(2),
  deviation: 0.2,
  answers: 10,
  ...over,
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
  verbosity: { lnSum: 2, answers: 10 },
  ...over,
})

const ofRouter = (lnLonger: number, answers: number, looks = 0): RouterFigures => ({
  answers,
  lnLonger,
  topics: { lnLonger: topicNames.map(() => lnLonger), answers: topicNames.map(() => answers) },
  looks,
})

test('the figures of a single writer stay as they are', () => {
  const mine = figures({ verbosity: { lnSum: 3, answers: 11 } })
  expect(mergeFigures({ base: figures(), mine, stored: figures() })).toBe(mine)
  expect(mergeFigures({ base: figures(), mine: figures(), stored: mine })).toBe(mine)
})

test('a part that only one writer changed keeps its value', () => {
  const verbosity = { lnSum: 3, answers: 11 }
  const latencies = { stream: latency({ fast: times(7) }) }
  const merged = mergeFigures({
    base: figures(),
    mine: figures({ verbosity }),
    stored: figures({ latencies }),
  })
  expect(merged).toEqual(figures({ verbosity, latencies }))
})

test('what each writer learned of a model’s verbosity is added', () => {
  const merged = mergeFigures({
    base: figures(),
    mine: figures({ verbosity: { lnSum: 2.5, answers: 11 } }),
    stored: figures({ verbosity: { lnSum: 1, answers: 13 } }),
  })
  expect(merged.verbosity).toEqual({ lnSum: 1.5, answers: 14 })
})

test('answers and looks of a router add up, and lengths are weighted by the answers of each writer', () => {
  const merged = mergeRouterFigures({
    base: ofRouter(5, 10, 1),
    mine: ofRouter(6, 11, 2),
    stored: ofRouter(4, 13, 3),
  })
  expect(merged).toEqual(ofRouter(4.5, 14, 4))
})

test('two writers that started from nothing are merged', () => {
  const merged = mergeRouterFigures({ base: null, mine: ofRouter(6, 10), stored: ofRouter(4, 10) })
  expect(merged).toEqual(ofRouter(5, 20))
})

test('of two latencies the older one counts less, and least in the fast mean', () => {
  const merge = (ageMs: number) =>
    mergeFigures({
      base: null,
      mine: figures(),
      stored: figures({
        latencies: { stream: latency({ fast: times(2), slow: times(3), atMs: nowMs - ageMs }) },
      }),
    }).latencies.stream
  expect(merge(0)).toMatchObject({ fast: { lnFirstToken: 1.5 }, slow: { lnFirstToken: 2.5 } })
  expect(merge(10 * minuteMs)?.fast.lnFirstToken).toBeCloseTo(1 + 1 / 3)
  expect(merge(6 * 60 * minuteMs)?.slow.lnFirstToken).toBeCloseTo(2 + 1 / 3)
  expect(merge(24 * 60 * minuteMs)?.fast.lnFirstToken).toBeCloseTo(1)
  expect(merge(0)?.answers).toBe(20)
})

test('merging the same prompts again and again does not make them weigh more', () => {
  let stored = figures({ prompts: prompts(20) })
  for (let time = 0; time < 10; time += 1)
    stored = mergeFigures({ base: figures(), mine: figures({ prompts: prompts(30) }), stored })
  expect(stored.prompts?.weight).toBeCloseTo(30)
  expect((stored.prompts?.tokens ?? 0) / (stored.prompts?.weight ?? 1)).toBeCloseTo(100)
})
