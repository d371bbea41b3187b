/** What is learned about a model from its answers, at times that each test chooses. */
import { beforeEach, describe, expect, test } from 'vitest'
import { publishedModel as model, sampleAnswer } from '../../../../test/sample-answer.ts'
import { topicNames, type Topic } from '../../../shared/topics.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { estimate } from '../../routing/estimate.ts'
import { candidate, sampleContext } from '../../routing/sample-candidates.ts'
import type { StoredStatistics } from '../../storage/storage.ts'
import { ModelServers } from '../../providers/model-servers.ts'
import { ModelStatistics, type AnswerSample } from './model-statistics.ts'

const minuteMs = 60_000
const unpublished = candidate({ modelId: 'p:unpublished' })
const local = candidate({ modelId: 'local:m', isLocal: true })

let nowMs = 0
let pending = 0
let isLoading = false
let statistics: ModelStatistics
let servers: ModelServers

function open(stored: readonly StoredStatistics[] = []): ModelStatistics {
  return new ModelStatistics({
    stored,
    pendingOf: () => pending,
    ownOf: () => null,
    feedbackOf: () => null,
    loadOf: () => null,
    isCold: () => isLoading,
    servers,
    now: () => nowMs,
  })
}

beforeEach(() => {
  nowMs = 1_000_000
  pending = 0
  isLoading = false
  servers = new ModelServers({ keepsLoadedMs: () => 300_000, now: () => nowMs })
  statistics = open()
})

function answers(count: number, given: Partial<AnswerSample> = {}): void {
  for (let nth = 0; nth < count; nth += 1) statistics.answered(sampleAnswer(given))
}

const latencyOf = (one: Candidate = model, isStreamed = true) =>
  statistics.knowledgeOf(one, isStreamed).latency

describe('latency', () => {
  test('is the published one before any answers, or else the same default for all', () => {
    expect(latencyOf()).toMatchObject({ firstTokenMs: 500, msPerToken: 10, source: 'prior' })
    expect(latencyOf(unpublished)).toMatchObject({ firstTokenMs: 1_000, source: 'assumed' })
  })

  test('of a model that becomes four times slower is more than doubled after five answers', () => {
    answers(20)
    expect(latencyOf().firstTokenMs).toBeCloseTo(500, 0)

    answers(5, { firstTokenMs: 2_000, totalMs: 6_000 })

    expect(latencyOf().firstTokenMs).toBeGreaterThan(1_000)
    expect(latencyOf().msPerToken).toBeGreaterThan(20)
    answers(20, { firstTokenMs: 2_000, totalMs: 6_000 })
    expect(latencyOf().firstTokenMs).toBeGreaterThan(1_900)
    expect(latencyOf().msPerToken).toBeCloseTo(40, -1)
  })

  test('counts as learned from the second answer on', () => {
    answers(1)
    expect(latencyOf().source).toBe('prior')
    answers(1)
    expect(latencyOf().source).toBe('learned')
  })

  test('loses half of its weight after ten minutes, and returns to the prior after an hour', () => {
    answers(40, { firstTokenMs: 2_000, totalMs: 3_000 })
    nowMs += 10 * minuteMs
    expect(latencyOf().firstTokenMs).toBeCloseTo(1_000, -1)
    expect(latencyOf().source).toBe('learned')
    nowMs += 50 * minuteMs
    expect(latencyOf().firstTokenMs).toBeGreaterThan(500)
    expect(latencyOf().firstTokenMs).toBeLessThan(515)
    expect(latencyOf().source).toBe('prior')
  })

  test.each([
    [10, 0.13],
    [3, 0.39],
    [1, 0.68],
  ])(
    'of a model used every %i minutes has a measured share of %f at the next use',
    (minutes, share) => {
      for (let nth = 0; nth < 60; nth += 1) {
        answers(1, { firstTokenMs: 4_000, totalMs: 5_000 })
        nowMs += minutes * minuteMs
      }
      expect(Math.log(latencyOf().firstTokenMs / 500) / Math.log(8)).toBeCloseTo(share, 2)
    },
  )

  test('does not get younger when the clock is set back', () => {
    answers(40, { firstTokenMs: 2_000, totalMs: 3_000 })
    const { firstTokenMs } = latencyOf()
    nowMs -= 60 * minuteMs
    expect(latencyOf().firstTokenMs).toBe(firstTokenMs)
  })

  test('is separate for streams and whole answers', () => {
    answers(20, { firstTokenMs: 2_000, totalMs: 3_000 })
    expect(latencyOf(model, false)).toMatchObject({ firstTokenMs: 500, source: 'prior' })
  })

  test('of a whole answer corrects both figures by the same factor', () => {
    // The published figures give 500 + 100 · 10 ms.
    answers(60, { isStreamed: false, firstTokenMs: 3_000, totalMs: 3_000, writtenTokens: 100 })
    const { firstTokenMs, msPerToken } = latencyOf(model, false)
    expect(firstTokenMs + 100 * msPerToken).toBeCloseTo(3_000, -1)
    expect(firstTokenMs / msPerToken).toBeCloseTo(50, 5)
  })

  test('of a model that must be loaded is high only while it is not loaded', () => {
    const loaded = { candidate: local, firstTokenMs: 100, totalMs: 600 }
    answers(20, loaded)
    isLoading = true
    expect(statistics.isCold(local)).toBe(true)
    expect(statistics.isCold(model)).toBe(false)
    answers(20, { ...loaded, isCold: true, firstTokenMs: 9_000, totalMs: 9_500 })
    expect(latencyOf(local).firstTokenMs).toBeGreaterThan(7_000)
    isLoading = false
    expect(latencyOf(local).firstTokenMs).toBeLessThan(150)
  })

  test('of an answer of three tokens does not change the time per token', () => {
    answers(20, { writtenTokens: 3, totalMs: 500.01 })
    expect(latencyOf().msPerToken).toBeCloseTo(10, 6)
  })

  test('of an upstream that sends everything at once does not reduce the time per token to zero', () => {
    answers(200, { totalMs: 500 })
    expect(latencyOf().msPerToken).toBeCloseTo(0.1, 3)
  })
})

describe('the 95th percentile', () => {
  test('is 1.85 times the median at first', () => {
    expect(latencyOf().p95Ratio).toBeCloseTo(1.85, 2)
  })

  test('approaches the median when all answers take equally long, and moves away when they vary', () => {
    answers(40)
    expect(latencyOf().p95Ratio).toBeLessThan(1.05)
    for (let nth = 0; nth < 40; nth += 1) {
      answers(1, { firstTokenMs: nth % 2 === 0 ? 200 : 5_000 })
    }
    expect(latencyOf().p95Ratio).toBeGreaterThan(3)
  })
})

describe('timeouts', () => {
  const timeout = { candidate: model, isCold: false, tookMs: 30_000 }

  test('a stream without output counts as taking twice its limit', () => {
    statistics.timedOut({ ...timeout, isStreamed: true })
    const expected = 500 * (60_000 / 500) ** 0.15
    expect(latencyOf().firstTokenMs).toBeCloseTo(expected, 3)
    expect(latencyOf().msPerToken).toBeCloseTo(10, 6)
    expect(latencyOf(model, false).firstTokenMs).toBe(500)
  })

  test('a whole answer that does not arrive increases both figures', () => {
    statistics.timedOut({ ...timeout, isStreamed: false })
    expect(latencyOf(model, false).firstTokenMs).toBeGreaterThan(600)
    expect(latencyOf(model, false).msPerToken).toBeGreaterThan(12)
  })
})

describe('long prompts', () => {
  test('half a millisecond per prompt token is detected', () => {
    for (let nth = 0; nth < 40; nth += 1) {
      const uncachedTokens = (nth % 8) * 1_000
      answers(1, { uncachedTokens, firstTokenMs: 400 + uncachedTokens / 2 })
    }
    const { msPerPromptToken, firstTokenMs } = latencyOf()
    expect(msPerPromptToken).toBeCloseTo(0.5, 2)
    expect(firstTokenMs).toBeGreaterThan(300)
    expect(firstTokenMs).toBeLessThan(500)
    const long = sampleContext({ isStreamed: true, promptTokens: 10_000 })
    const expected = estimate(model, statistics.knowledgeOf(model, true), long)
    expect(expected.latencyMs).toBeGreaterThan(5_000)
    // A property of the deployment, so whole answers have the same slope.
    expect(latencyOf(model, false).msPerPromptToken).toBe(msPerPromptToken)
  })

  test('prompts of about equal length give no slope', () => {
    for (let nth = 0; nth < 40; nth += 1) {
      // Random variation that looks like ten milliseconds per token.
      answers(1, { uncachedTokens: 100 + (nth % 4) * 10, firstTokenMs: 500 + (nth % 4) * 100 })
    }
    expect(latencyOf().msPerPromptToken).toBeLessThan(0.1)
  })

  test('a model that is slower by chance never gets more than 2 ms per token', () => {
    for (let nth = 0; nth < 40; nth += 1) {
      const uncachedTokens = (nth % 8) * 1_000
      answers(1, { uncachedTokens, firstTokenMs: 400 + uncachedTokens * 9 })
    }
    expect(latencyOf().msPerPromptToken).toBe(2)
  })

  test('longer prompts with faster answers do not give a negative slope', () => {
    answers(20, { uncachedTokens: 100, firstTokenMs: 900 })
    answers(20, { uncachedTokens: 9_000, firstTokenMs: 300 })
    expect(latencyOf().msPerPromptToken).toBe(0)
  })
})

describe('answer length', () => {
  const surely = (topic: Topic) => ({
    domains: [],
    topics: [[topic, 1] as [Topic, number]],
    confidence: 1,
    difficulty: -1,
    difficultyReasons: [],
  })
  const tokensOf = (topic: Topic) =>
    Math.exp(statistics.knowledgeOf(model, true).lnOutputTokens[topicNames.indexOf(topic)] ?? 0)

  test('is learned for the kind of prompt and no other', () => {
    answers(30, { outputTokens: 3_000, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeGreaterThan(2_000)
    expect(tokensOf('formal_maths')).toBeCloseTo(400, 6)
  })

  test('one answer weighs a sixth, because the prior counts as five', () => {
    answers(1, { outputTokens: 6_000, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeCloseTo(600 * 10 ** (1 / 6), 6)
  })

  test('starts with the reasoning of a model that thinks, and is learned from there', () => {
    const thinking = candidate({ modelId: 'p:thinking', outputRatio: 10 })
    const place = topicNames.indexOf('code_editing')
    const expected = () =>
      Math.exp(statistics.knowledgeOf(thinking, true).lnOutputTokens[place] ?? 0)

    expect(expected()).toBeCloseTo(6_000, 6)
    answers(1, { candidate: thinking, outputTokens: 6_000, reading: surely('code_editing') })
    expect(expected()).toBeCloseTo(6_000, 6)
  })

  test('is moved for both possible kinds of a prompt, more for the likelier one', () => {
    const reading = {
      topics: [['code_editing', 0.75] as const, ['everyday', 0.25] as const],
      confidence: 0.7,
      difficulty: -1,
      difficultyReasons: [],
    }
    answers(1, {
      outputTokens: 9_000,
      reading: { ...reading, domains: [], topics: reading.topics.map(([t, p]) => [t, p]) },
    })
    const moved = (topic: Topic, tokens: number) => Math.log(tokensOf(topic) / tokens)
    expect(moved('code_editing', 600)).toBeCloseTo(3 * moved('everyday', 250), 6)
  })

  test('moves by a sixth for all kinds together when the kind of prompt is unknown', () => {
    const mean = () => {
      const { lnOutputTokens } = statistics.knowledgeOf(model, true)
      return lnOutputTokens.reduce((sum, ln) => sum + ln, 0) / lnOutputTokens.length
    }
    const before = mean()
    answers(1, { outputTokens: Math.round(Math.exp(before) * 64) })
    expect(mean() - before).toBeCloseTo(Math.log(64) / 6, 3)
  })

  test('ignores answers that were cut off early, and increases for those cut off late', () => {
    answers(5, { outputTokens: 16, isCutOff: true, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeCloseTo(600, 6)
    answers(5, { outputTokens: 4_000, isCutOff: true, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeGreaterThan(1_000)
  })

  test('does not fade with time', () => {
    answers(30, { outputTokens: 3_000, reading: surely('code_editing') })
    const learnt = tokensOf('code_editing')
    nowMs += 1e10
    expect(tokensOf('code_editing')).toBe(learnt)
  })
})

test('requests in progress count as a share of eight', () => {
  pending = 2
  expect(statistics.knowledgeOf(model, true).load).toBe(0.25)
})

test('changed figures are returned once, and restored unchanged', () => {
  answers(3, { firstTokenMs: 2_000 })
  const changed = statistics.takeChanged()

  expect(changed.map(({ modelId }) => modelId)).toEqual([model.modelId])
  expect(statistics.takeChanged()).toEqual([])
  const later = open(changed.map(({ modelId, figures }) => ({ modelId, ...figures })))
  expect(later.knowledgeOf(model, true)).toEqual(statistics.knowledgeOf(model, true))
  expect(later.takeChanged()).toEqual([])
})
