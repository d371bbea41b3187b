/** The expected figures of a model for a request. */
import { describe, expect, test } from 'vitest'
import type { Candidate, ModelKnowledge, RoutingContext } from './candidate.ts'
import { estimate } from './estimate.ts'
import { lnOutputPrior } from './expected-output.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import {
  candidate,
  sampleContext,
  priorKnowledge,
} from '../../../test/routing/sample-candidates.ts'

interface Case {
  of?: Partial<Candidate>
  known?: Partial<ModelKnowledge>
  request?: Partial<RoutingContext>
}

function estimated({ of, known, request }: Case = {}) {
  const one = candidate(of)
  return estimate(one, { ...priorKnowledge(one), ...known }, sampleContext(request))
}

/** Every answer has 100 tokens. */
const hundred: Partial<ModelKnowledge> = { lnOutputTokens: lnOutputPrior.map(() => Math.log(100)) }
/** Half a second, and ten milliseconds for each token read and written. */
const steady: Partial<ModelKnowledge> = {
  ...hundred,
  latency: {
    firstTokenMs: 500,
    msPerPromptToken: 0.1,
    msPerToken: 10,
    p95Ratio: 2,
    source: 'learned',
    answers: 20,
    measuredShare: 0.95,
  },
}
/** Certainly code. */
const code: RoutingContext['reading'] = {
  domains: [0, 1, 0, 0, 0, 0, 0, 0],
  topics: topicNames.map((topic) => Number(topic === 'code_editing')),
  confidence: 1,
  gain: 0,
  difficulty: -1,
}

describe('the length of the answer', () => {
  test('is the usual length for the kind of prompt', () => {
    expect(estimated({ request: { reading: code } }).outputTokens).toBe(600)
  })

  test('is the geometric mean over all kinds when the prompt was not read', () => {
    const mean = Math.exp(lnOutputPrior.reduce((sum, ln) => sum + ln, 0) / lnOutputPrior.length)

    expect(estimated().outputTokens).toBe(Math.round(mean))
  })

  test('includes the reasoning of a model that thinks before it answers', () => {
    expect(estimated({ of: { outputRatio: 4 }, request: { reading: code } })).toMatchObject({
      outputTokens: 2_400,
      costNanoUsd: 5_800_000,
    })
  })

  test('has less reasoning for an easy prompt, and more for a hard one', () => {
    const tokens = (difficulty: number, outputRatio = 4) =>
      estimated({ of: { outputRatio }, request: { reading: { ...code, difficulty } } }).outputTokens

    expect(tokens(-3.2)).toBeLessThan(1_100)
    expect(tokens(-3.2)).toBeGreaterThan(600)
    expect(tokens(0)).toBeGreaterThan(3_500)
    expect(tokens(2)).toBe(tokens(0))
    expect(tokens(-3.2, 1)).toBe(tokens(2, 1))
  })

  test.each<[string, Case]>([
    ['the caller’s maximum', { request: { maxOutputTokens: 7, reading: code } }],
    ['the model’s maximum', { of: { maxOutputTokens: 7 }, request: { reading: code } }],
  ])('is at most %s', (_what, given) => {
    const { outputTokens, costNanoUsd, costP90NanoUsd } = estimated(given)

    expect(outputTokens).toBe(7)
    expect(costP90NanoUsd).toBe(costNanoUsd)
  })
})

describe('the cost', () => {
  test('covers the prompt and the answer, and separately a long answer', () => {
    // 1,000 tokens in at a dollar a million, 100 out at two; the long answer has 278.
    expect(estimated({ known: hundred })).toMatchObject({
      promptNanoUsd: 1_000_000,
      costNanoUsd: 1_200_000,
      costP90NanoUsd: 1_556_000,
    })
  })

  test('covers each of several answers, which take no longer than one, and the prompt once', () => {
    const { latencyMs } = estimated({ known: hundred })

    expect(estimated({ known: hundred, request: { choices: 8 } })).toMatchObject({
      outputTokens: 800,
      promptNanoUsd: 1_000_000,
      costNanoUsd: 2_600_000,
      costP90NanoUsd: 5_448_000,
      latencyMs,
    })
  })

  const cached: Partial<Candidate> = {
    price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2, cacheReadUsdPerMtok: 0.1 },
  }
  const lastAnswer = { modelId: 'p:model', promptTokens: 2_000, ageMs: 60_000 }

  test('is lower for the model that still has the prompt in its cache', () => {
    const request = { promptTokens: 3_000, lastAnswer }

    expect(estimated({ of: cached, known: hundred, request })).toMatchObject({
      promptNanoUsd: 1_000_000 + 200_000,
      // The limit on a request's cost assumes no cache.
      costP90NanoUsd: 3_556_000,
    })
  })

  test.each([
    ['another model', { ...lastAnswer, modelId: 'p:other' }],
    ['an expired cache', { ...lastAnswer, ageMs: 300_001 }],
    ['a prompt too short to be cached', { ...lastAnswer, promptTokens: 1_023 }],
  ])('is not lower for %s', (_what, other) => {
    const request = { promptTokens: 3_000, lastAnswer: other }

    expect(estimated({ of: cached, known: hundred, request }).promptNanoUsd).toBe(3_000_000)
  })
})

describe('the latency', () => {
  test('of a whole answer lasts until its end', () => {
    expect(estimated({ known: steady })).toMatchObject({
      latencyMs: 500 + 100 + 1_000,
      latencyP95Ms: 3_200,
      latencySource: 'learned',
    })
  })

  test('of a stream lasts until the answer starts to be readable', () => {
    expect(estimated({ known: steady, request: { isStreamed: true } }).latencyMs).toBe(1_200)
  })

  test('excludes the time to read cached tokens', () => {
    const lastAnswer = { modelId: 'p:model', promptTokens: 2_000, ageMs: 0 }
    const request = { promptTokens: 3_000, lastAnswer }

    expect(estimated({ known: steady, request }).latencyMs).toBe(500 + 100 + 1_000)
  })

  test('increases with the model’s load', () => {
    expect(estimated({ known: { ...steady, load: 0.5 } }).latencyMs).toBe(2_400)
  })

  test('is the published latency before any measurement, or else the same default for all', () => {
    const published = { of: { speed: { firstTokenMs: 200, msPerToken: 5 } }, known: hundred }

    expect(estimated(published)).toMatchObject({ latencyMs: 700, latencySource: 'prior' })
    expect(estimated({ known: hundred })).toMatchObject({
      latencyMs: 3_500,
      latencySource: 'assumed',
    })
  })
})

describe('the latency of a model that thinks', () => {
  const thinking = { outputRatio: 4 }
  const speed = { firstTokenMs: 2_000, msPerToken: 5 }

  test('counts the reasoning once: published times to the first token include it', () => {
    const of = { ...thinking, speed }

    expect(estimated({ of, known: hundred }).latencyMs).toBe(2_000 + 25 * 5)
  })

  test('counts the reasoning before a stream becomes readable when no speed is published', () => {
    const { latencyMs } = estimated({
      of: thinking,
      known: hundred,
      request: { isStreamed: true },
    })

    expect(latencyMs).toBe(1_000 + 100 * 25)
  })

  test('of a whole answer is measured with its reasoning', () => {
    expect(estimated({ of: thinking, known: steady }).latencyMs).toBe(500 + 100 + 1_000)
  })
})

test('all figures are whole numbers, so that the compared figures can be stored', () => {
  const { quality, qualityHalfWidth, ...others } = estimated({ request: { reading: code } })
  const numbers = Object.values(others).filter((value) => typeof value === 'number')

  expect(numbers.length).toBeGreaterThan(8)
  for (const value of numbers) expect(Number.isInteger(value)).toBe(true)
  for (const value of [quality, qualityHalfWidth]) expect(value).toBe(Number(value.toFixed(4)))
})

test('a linked file of any length has at most the model’s context, because a longer prompt is not billed', () => {
  const media = [{ kind: 'document', pages: null, bytes: null }] as const
  const without = estimated({ request: { promptTokens: 100 } }).promptNanoUsd
  const withFile = estimated({ request: { promptTokens: 100, media } }).promptNanoUsd

  expect(withFile - without).toBe(8_000 * 1_000)
})
