/** Tests what the statistics learn from servers that report their own times, and what a cold model costs. */
import { beforeEach, expect, test } from 'vitest'
import { ModelServers } from '../../providers/model-servers.ts'
import type { ServerTimings } from '../../providers/provider.ts'
import { estimate } from '../../routing/estimate.ts'
import { candidate, sampleContext } from '../../../../test/routing/sample-candidates.ts'
import {
  ModelStatistics,
  type AnswerSample,
  type ModelStatisticsOptions,
} from './model-statistics.ts'

const minuteMs = 60_000
const served = candidate({ modelId: 'ollama:m', providerId: 'ollama', isLocal: true })

let nowMs = 0
let load: number | null = null
let servers: ModelServers
let statistics: ModelStatistics

const streams = { routerId: 'r', isStreamed: true }

function open(stored: ModelStatisticsOptions['stored']['models'] = []): void {
  servers = new ModelServers({ keepsLoadedMs: () => 5 * minuteMs, now: () => nowMs })
  statistics = new ModelStatistics({
    stored: { models: stored, routers: [] },
    pendingOf: () => 0,
    loadOf: () => load,
    isCold: ({ modelId }) => servers.isLoaded(modelId) === false,
    servers,
    feedbackOf: () => null,
    ownOf: () => null,
    now: () => nowMs,
  })
}

beforeEach(() => {
  nowMs = 1_000_000
  load = null
  open()
})

/** 2 ms for each token of the prompt, 50 ms for each of the answer, and the rest of the time is overhead. */
const timings: ServerTimings = {
  loadMs: 10,
  promptTokens: 400,
  promptMs: 800,
  outputTokens: 100,
  outputMs: 5000,
}

function answer(given: Partial<AnswerSample> = {}): void {
  const { isStreamed = true, timings: own = timings } = given
  const firstTokenMs = (own?.loadMs ?? 0) + 800 + 30
  const totalMs = firstTokenMs + 5000
  statistics.answered({
    candidate: served,
    routerId: streams.routerId,
    isStreamed,
    isCold: false,
    firstTokenMs: isStreamed ? firstTokenMs : totalMs,
    totalMs,
    uncachedTokens: 400,
    writtenTokens: 100,
    outputTokens: 100,
    timings: own,
    isCutOff: false,
    teachesLength: true,
    reading: null,
    ...given,
  })
}

const latency = (isStreamed = true) =>
  statistics.knowledgeOf(served, { ...streams, isStreamed }).latency

test('the server’s own times are learned, from streams and from whole answers', () => {
  for (let nth = 0; nth < 40; nth += 1) answer()
  for (let nth = 0; nth < 40; nth += 1) answer({ isStreamed: false })
  for (const isStreamed of [true, false]) {
    expect(latency(isStreamed).msPerPromptToken).toBeCloseTo(2)
    expect(latency(isStreamed).msPerToken).toBeCloseTo(50, 0)
    // What is left of the time to the first token without the prompt: a tenth, as for every estimate.
    expect(latency(isStreamed).firstTokenMs).toBeLessThan(100)
    expect(latency(isStreamed).source).toBe('learned')
  }
})

test('a cold answer teaches the time to load, and not the time of a loaded model', () => {
  for (let nth = 0; nth < 40; nth += 1) answer()
  const before = latency()
  answer({ isCold: true, timings: { ...timings, loadMs: 18_000 } })
  expect(latency().firstTokenMs).toBeCloseTo(before.firstTokenMs, 0)
  nowMs += 5 * minuteMs
  expect(latency().firstTokenMs).toBeGreaterThan(18_000)
  expect(latency(false).firstTokenMs).toBeGreaterThan(18_000)
})

test('the time to load is in the estimate of a cold model, and is kept over a restart', () => {
  answer({ timings: { ...timings, loadMs: 18_000 } })
  const warm = estimate(served, statistics.knowledgeOf(served, streams), sampleContext())
  open(statistics.models.takeChanged())
  nowMs += 60 * minuteMs
  const cold = estimate(served, statistics.knowledgeOf(served, streams), sampleContext())
  expect(cold.latencyMs).toBeGreaterThan(warm.latencyMs + 15_000)
})

test('answers that wait for a slot make an answer take as much longer as there are before it', () => {
  for (let nth = 0; nth < 40; nth += 1) answer()
  const free = estimate(served, statistics.knowledgeOf(served, streams), sampleContext())
  load = 2
  const busy = estimate(served, statistics.knowledgeOf(served, streams), sampleContext())
  expect(busy.latencyMs / free.latencyMs).toBeCloseTo(3)
})

test('a server without times of its own is measured from outside', () => {
  for (let nth = 0; nth < 40; nth += 1) answer({ timings: null })
  expect(latency().msPerToken).toBeCloseTo(50, 0)
  expect(servers.speedOf('ollama:m')).toMatchObject({
    msPerToken: expect.closeTo(5000 / 99),
    msPerPromptToken: null,
    atMs: nowMs,
  })
})
