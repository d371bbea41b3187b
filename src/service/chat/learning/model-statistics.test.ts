/** Tests what is learned about a model from its answers, at times that each test chooses. */
import { beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../training/reader/random.ts'
import { publishedModel as model, sampleAnswer, streams } from '../../../../test/sample-answer.ts'
import { topicNames, type Topic } from '../../../shared/routers/topics.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { estimate } from '../../routing/estimate.ts'
import { ratioAtDifficulty } from '../../routing/expected-output.ts'
import { candidate, sampleContext } from '../../../../test/routing/sample-candidates.ts'
import { ModelServers } from '../../providers/model-servers.ts'
import {
  ModelStatistics,
  type AnswerSample,
  type ModelStatisticsOptions,
} from './model-statistics.ts'

const minuteMs = 60_000
const unpublished = candidate({ modelId: 'p:unpublished' })
const local = candidate({ modelId: 'local:m', isLocal: true })

let nowMs = 0
let pending = 0
let isLoading = false
let statistics: ModelStatistics
let servers: ModelServers

const nothing: ModelStatisticsOptions['stored'] = { models: [], routers: [] }

function open(stored = nothing): ModelStatistics {
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
  statistics.knowledgeOf(one, { ...streams, isStreamed }).latency

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

  test('is remembered for hours, and returns to the prior within days', () => {
    answers(40, { firstTokenMs: 2_000, totalMs: 3_000 })
    nowMs += 60 * minuteMs
    expect(latencyOf().firstTokenMs).toBeGreaterThan(1_800)
    expect(latencyOf().source).toBe('learned')
    nowMs += 2 * 24 * 60 * minuteMs
    expect(latencyOf().firstTokenMs).toBeGreaterThan(500)
    expect(latencyOf().firstTokenMs).toBeLessThan(515)
    expect(latencyOf().source).toBe('prior')
  })

  test('of a few slow answers is forgotten within an hour', () => {
    answers(40)
    answers(3, { firstTokenMs: 2_000, totalMs: 3_000 })
    const { firstTokenMs } = latencyOf()
    expect(firstTokenMs).toBeGreaterThan(850)
    nowMs += 60 * minuteMs
    expect(latencyOf().firstTokenMs).toBeLessThan(750)
  })

  test('of a model without answers follows those of its provider, and less those of others', () => {
    const second = candidate({ ...model, modelId: 'p:second' })
    const other = candidate({ ...model, modelId: 'q:other', providerId: 'q' })
    const near = candidate({ ...second, modelId: 'p:near', isLocal: true })
    answers(40, { firstTokenMs: 2_000, totalMs: 3_000 })
    expect(latencyOf(second).firstTokenMs).toBeGreaterThan(latencyOf(other).firstTokenMs)
    expect(latencyOf(second).firstTokenMs).toBeCloseTo(500 * 4 ** 0.75, -1)
    expect(latencyOf(other).firstTokenMs).toBeCloseTo(500 * 4 ** 0.5, -1)
    expect(latencyOf(other).source).toBe('prior')
    expect(latencyOf(near).firstTokenMs).toBe(500)
    nowMs += 4 * 60 * minuteMs
    expect(latencyOf(other).firstTokenMs).toBeCloseTo(500 * 4 ** (1 / 3), -1)
  })

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
    expect(firstTokenMs + 100 * msPerToken).toBeCloseTo(3_000, -2)
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
    expect(latencyOf().msPerToken).toBeCloseTo(0.1, 2)
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
  const timeout = { candidate: model, routerId: 'r', isCold: false, tookMs: 30_000 }

  test('a stream without output counts as taking twice its limit', () => {
    statistics.timedOut({ ...timeout, isStreamed: true })
    const { firstTokenMs } = latencyOf()
    expect(latencyOf().msPerToken).toBeCloseTo(10, 6)
    expect(latencyOf(model, false).firstTokenMs).toBe(500)
    statistics = open()
    const times = { firstTokenMs: 60_000, totalMs: 60_000, uncachedTokens: 0, writtenTokens: 0 }
    answers(1, times)
    expect(latencyOf().firstTokenMs).toBeCloseTo(firstTokenMs, 6)
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
    const expected = estimate(model, statistics.knowledgeOf(model, streams), long)
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
  const lengthsOf = (one: Candidate, routerId = 'r') =>
    statistics.knowledgeOf(one, { ...streams, routerId }).lnOutputTokens
  const tokensOf = (topic: Topic, one = model, routerId = 'r') =>
    Math.exp(lengthsOf(one, routerId)[topicNames.indexOf(topic)] ?? 0)

  test('is learned for each kind of prompt', () => {
    for (let nth = 0; nth < 40; nth += 1) {
      answers(1, { outputTokens: 3_000, reading: surely('code_editing') })
      answers(1, { outputTokens: 100, reading: surely('formal_maths') })
    }
    expect(tokensOf('code_editing')).toBeGreaterThan(2_000)
    expect(tokensOf('formal_maths')).toBeLessThan(150)
  })

  test('of one answer counts for all models of its router, and a little for the model elsewhere', () => {
    answers(1, { outputTokens: 6_000, reading: surely('code_editing') })
    // Two thirds for all kinds, an eighteenth for this kind, and a sixth of the rest for the model.
    const shared = 2 / 3 + 1 / 18
    const own = (1 - shared) / 6
    expect(tokensOf('code_editing')).toBeCloseTo(600 * 10 ** (shared + own), 6)
    expect(tokensOf('code_editing', unpublished)).toBeCloseTo(600 * 10 ** shared, 6)
    expect(tokensOf('formal_maths', unpublished)).toBeCloseTo(400 * 10 ** (2 / 3), 6)
    expect(tokensOf('code_editing', model, 'other')).toBeCloseTo(600 * 10 ** own, 6)
    expect(tokensOf('code_editing', unpublished, 'other')).toBeCloseTo(600, 6)
  })

  test.for([
    ['alike', 0.1],
    ['of very unequal length', 1.6],
  ] as const)('of answers %s has a p90 that one in ten exceeds', ([, deviation]) => {
    const next = seededRandom(7)
    // Nearly normal: the sum of twelve uniform numbers.
    const normal = () => Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, -6)
    let longer = 0
    for (let nth = 0; nth < 2_000; nth += 1) {
      const outputTokens = Math.round(600 * Math.exp(deviation * normal()))
      const { lnP90 } = statistics.knowledgeOf(model, streams)
      if (nth >= 1_000 && Math.log(outputTokens / tokensOf('code_editing')) > lnP90) longer += 1
      answers(1, { outputTokens, reading: surely('code_editing') })
    }
    expect(longer / 1_000).toBeGreaterThan(0.07)
    expect(longer / 1_000).toBeLessThan(0.13)
  })

  test('of a talkative model is not expected of the others', () => {
    for (let nth = 0; nth < 60; nth += 1) {
      answers(1, { outputTokens: 600, reading: surely('code_editing') })
      answers(1, { candidate: unpublished, outputTokens: 2_400, reading: surely('code_editing') })
    }
    expect(tokensOf('code_editing')).toBeLessThan(700)
    expect(tokensOf('code_editing', unpublished)).toBeGreaterThan(2_000)
    expect(tokensOf('code_editing', candidate({ modelId: 'p:new' }))).toBeCloseTo(1_200, -3)
  })

  test('of easy and hard prompts is learned alike of a model that thinks', () => {
    const thinking = candidate({ modelId: 'p:thinking', outputRatio: 10 })
    const reading = { ...surely('code_editing'), difficulty: -3 }
    const usual = 600 * ratioAtDifficulty(10, -3)
    answers(9, { candidate: thinking, outputTokens: Math.round(usual), reading })
    expect(tokensOf('code_editing', thinking)).toBeCloseTo(6_000, -1)
  })

  test('starts with the reasoning of a model that thinks, and is learned from there', () => {
    const thinking = candidate({ modelId: 'p:thinking', outputRatio: 10 })
    const expected = () => tokensOf('code_editing', thinking)

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
    const ofAll = Math.log(tokensOf('formal_maths') / 400)
    const moved = (topic: Topic, tokens: number) => Math.log(tokensOf(topic) / tokens) - ofAll
    expect(moved('code_editing', 600)).toBeGreaterThan(0.1)
    expect(moved('code_editing', 600)).toBeCloseTo(3 * moved('everyday', 250), 6)
  })

  test('moves for all kinds together when the kind of prompt is unknown', () => {
    const mean = () => {
      const lnTokens = lengthsOf(model)
      return lnTokens.reduce((sum, ln) => sum + ln, 0) / lnTokens.length
    }
    const before = mean()
    answers(1, { outputTokens: Math.round(Math.exp(before) * 64) })
    expect(mean() - before).toBeCloseTo((Math.log(64) * 83) / 108, 3)
  })

  test('ignores answers that were cut off early, and increases for those cut off late', () => {
    answers(5, { outputTokens: 16, isCutOff: true, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeCloseTo(600, 6)
    answers(5, { outputTokens: 4_000, isCutOff: true, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeGreaterThan(1_000)
  })

  test('is not learned from answers of another kind, such as verdicts, whose times count', () => {
    answers(2, { outputTokens: 45, teachesLength: false, reading: surely('code_editing') })
    expect(tokensOf('code_editing')).toBeCloseTo(600, 6)
    expect(tokensOf('code_editing', unpublished)).toBeCloseTo(600, 6)
    expect(latencyOf().source).toBe('learned')
  })

  test('does not fade with time', () => {
    answers(30, { outputTokens: 3_000, reading: surely('code_editing') })
    const learnt = tokensOf('code_editing')
    nowMs += 1e10
    expect(tokensOf('code_editing')).toBe(learnt)
  })
})

describe('first looks', () => {
  const look = (times: number) => {
    for (let nth = 0; nth < times; nth += 1) statistics.looked(unpublished, 'r')
  }

  test('at one model are at most three while none is answered', () => {
    answers(1_000)
    look(2)
    expect(statistics.mayLookAt(unpublished, 'r')).toBe(true)
    look(1)
    expect(statistics.mayLookAt(unpublished, 'r')).toBe(false)
    answers(1, { candidate: unpublished })
    expect(statistics.mayLookAt(unpublished, 'r')).toBe(true)
  })

  test('of a router are at most three and 2 % of its answers, and 0.4 % at models that were known', () => {
    const other = candidate({ modelId: 'p:other' })
    look(3)
    expect(statistics.mayLookAt(other, 'r')).toBe(false)
    expect(statistics.mayLookAt(other, 'another')).toBe(true)
    answers(100)
    expect(statistics.mayLookAt(other, 'r')).toBe(true)
    answers(3, { candidate: other })
    look(1)
    expect(statistics.mayLookAt(other, 'r')).toBe(false)
    expect(statistics.mayLookAt(candidate({ modelId: 'p:new' }), 'r')).toBe(true)
  })

  test('may follow when the times are of yesterday', () => {
    answers(3)
    expect(latencyOf().answers).toBe(3)
    nowMs += 24 * 60 * minuteMs
    expect(latencyOf().answers).toBe(0)
  })
})

test('requests in progress count as a share of eight', () => {
  pending = 2
  expect(statistics.knowledgeOf(model, streams).load).toBe(0.25)
})

test('changed figures are returned once, and restored unchanged', () => {
  answers(3, { firstTokenMs: 2_000 })
  const models = statistics.models.takeChanged()
  const routers = statistics.routers.takeChanged()

  expect(models.map(({ id }) => id)).toEqual([model.modelId])
  expect(routers.map(({ id }) => id)).toEqual(['r'])
  expect(statistics.models.takeChanged()).toEqual([])
  const later = open({ models, routers })
  expect(later.knowledgeOf(model, streams)).toEqual(statistics.knowledgeOf(model, streams))
  expect(later.models.takeChanged()).toEqual([])
})
