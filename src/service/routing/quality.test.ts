/** The expected quality of a model, from published figures and from feedback. */
import { describe, expect, test } from 'vitest'
import { domainNames, type Domain } from '../../shared/domains.ts'
import { topicNames, type Topic } from '../../shared/topics.ts'
import type { FeedbackCounts, PromptReading, QualityPrior } from './candidate.ts'
import { estimateQuality, withJudgement } from './quality.ts'

const prior: QualityPrior = { mean: 0.6, strength: 25, byDomain: { code: 0.8 }, isKnown: true }

function reading(topic: Topic, confidence = 1): PromptReading {
  const domain: Domain = topic.startsWith('code') ? 'code' : 'science_medical'
  return {
    topics: topicNames.map((name) => Number(name === topic)),
    domains: domainNames.map((name) => Number(name === domain)),
    confidence,
    gain: 0,
  }
}

function judged(times: number, score: number, topic: Topic): FeedbackCounts | null {
  let counts: FeedbackCounts | null = null
  for (let time = 0; time < times; time += 1) {
    counts = withJudgement(counts, reading(topic), { score, weight: 1 })
  }
  return counts
}

describe('without feedback', () => {
  test('a prompt of no clear kind gets the overall quality', () => {
    expect(estimateQuality(prior, null, reading('code_editing', 0.35))).toMatchObject({
      quality: 0.6,
      source: 'prior',
      samples: 0,
    })
    expect(estimateQuality(prior, null, null).quality).toBe(0.6)
  })

  test('a prompt of a clear kind gets the quality of its domain, if a source has it', () => {
    expect(estimateQuality(prior, null, reading('code_editing')).quality).toBeCloseTo(0.8)
    expect(estimateQuality(prior, null, reading('physics')).quality).toBeCloseTo(0.6)
  })

  test('a kind with half the probability counts half', () => {
    const { quality } = estimateQuality(prior, null, reading('code_editing', 0.525))
    expect(quality).toBeCloseTo(0.7)
  })

  test('the interval is as wide as for the number of answers that the prior is worth', () => {
    const { halfWidth } = estimateQuality(prior, null, null)
    expect(halfWidth).toBeCloseTo(1.645 * Math.sqrt((0.6 * 0.4) / 26))
  })
})

describe('with feedback', () => {
  test('as many judgements as the prior is worth move the overall mean half way', () => {
    const feedback = judged(25, 1, 'physics')
    const { quality, source, samples } = estimateQuality(prior, feedback, null)
    expect(quality).toBeCloseTo(0.8)
    expect(source).toBe('learned')
    expect(samples).toBeCloseTo(25)
  })

  test('a judgement moves its topic most, its domain less, and another domain not at all', () => {
    const feedback = judged(20, 0, 'physics')
    const physics = estimateQuality(prior, feedback, reading('physics')).quality
    const chemistry = estimateQuality(prior, feedback, reading('chemistry')).quality
    const code = estimateQuality(prior, feedback, reading('code_editing')).quality
    expect(physics).toBeLessThan(chemistry)
    expect(chemistry).toBeLessThan(0.6)
    expect(code).toBeCloseTo(0.8)
  })

  test('few judgements move the quality partly, and each one narrows the interval', () => {
    const some = estimateQuality(prior, judged(5, 1, 'physics'), reading('physics'))
    const more = estimateQuality(prior, judged(50, 1, 'physics'), reading('physics'))
    expect(some.source).toBe('blend')
    expect(more.source).toBe('learned')
    expect(more.halfWidth).toBeLessThan(some.halfWidth)
  })

  test('a judgement of weight 0.7 on a prompt of two topics is shared between them', () => {
    const topics = topicNames.map((name) => (name === 'law' || name === 'business' ? 0.5 : 0))
    const counts = withJudgement(null, { topics }, { score: 0.75, weight: 0.8 })
    expect(counts.good[topicNames.indexOf('law')]).toBeCloseTo(0.3)
    expect(counts.bad[topicNames.indexOf('business')]).toBeCloseTo(0.1)
  })
})
