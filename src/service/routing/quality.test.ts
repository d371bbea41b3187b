/** The expected quality of a model, from its rating, the prompt's difficulty, and what this user judged. */
import { describe, expect, test } from 'vitest'
import { domainNames, type Domain } from '../../shared/app/domains.ts'
import { logitOf, logitOfPoints, pointsOfQuality } from '../../shared/models/quality-scale.ts'
import { topicNames, type Topic } from '../../shared/routers/topics.ts'
import type { FeedbackCounts, PromptReading, QualityPrior } from './candidate.ts'
import { estimateQuality, withJudgement } from './quality.ts'

/** 0.6 for a prompt that was not read. */
const prior: QualityPrior = {
  points: pointsOfQuality(0.6),
  strength: 25,
  offsets: null,
  basis: 'rated',
}
/** 0.8 for code. */
const betterAtCode: QualityPrior = {
  ...prior,
  offsets: topicNames.map((name) => (name.startsWith('code') ? logitOf(0.8) - logitOf(0.6) : 0)),
}
const nothing = { feedback: null, own: null }

function reading(topic: Topic, given: Partial<PromptReading> = {}): PromptReading {
  const domain: Domain = topic.startsWith('code') ? 'code' : 'science_medical'
  return {
    topics: topicNames.map((name) => Number(name === topic)),
    domains: domainNames.map((name) => Number(name === domain)),
    confidence: 1,
    gain: 0,
    difficulty: -1,
    ...given,
  }
}

function judged(times: number, score: number, prompt: PromptReading): FeedbackCounts | null {
  let counts: FeedbackCounts | null = null
  for (let time = 0; time < times; time += 1) {
    counts = withJudgement(counts, prompt, { score, weight: 1 })
  }
  return counts
}

const qualityOf = (of: QualityPrior, feedback: FeedbackCounts | null, prompt: PromptReading) =>
  estimateQuality(of, { feedback, own: null }, prompt).quality

describe('without feedback', () => {
  test('a prompt of no clear kind gets the overall quality', () => {
    const unclear = reading('code_editing', { confidence: 0.35 })
    const { quality, source, samples } = estimateQuality(betterAtCode, nothing, unclear)
    expect(quality).toBeCloseTo(0.6)
    expect({ source, samples }).toEqual({ source: 'prior', samples: 0 })
    expect(estimateQuality(betterAtCode, nothing, null).quality).toBeCloseTo(0.6)
  })

  test('a prompt of a clear kind gets the quality of its topic, if a source has it', () => {
    expect(qualityOf(betterAtCode, null, reading('code_editing'))).toBeCloseTo(0.8)
    expect(qualityOf(betterAtCode, null, reading('physics'))).toBeCloseTo(0.6)
  })

  test('a kind with half the probability counts half', () => {
    const half = reading('code_editing', { confidence: 0.525 })
    expect(qualityOf(betterAtCode, null, half)).toBeCloseTo(0.7)
  })

  test('a harder prompt opens the gap between two models, an easy one closes it', () => {
    const gapAt = (difficulty: number) => {
      const prompt = reading('physics', { difficulty })
      const of = (points: number) => qualityOf({ ...prior, points }, null, prompt)
      return of(1450) - of(1250)
    }
    expect(gapAt(-3.2)).toBeLessThan(0.08)
    expect(gapAt(1)).toBeGreaterThan(0.3)
  })

  test('the probability is that of the rating less the difficulty, on the logit', () => {
    const quality = qualityOf({ ...prior, points: 1400 }, null, reading('law', { difficulty: 0.5 }))
    expect(logitOf(quality)).toBeCloseTo(logitOfPoints(1400) - 0.5)
  })

  test('the interval is that of the spread of models around their ratings, wider without one', () => {
    const widthOf = (basis: QualityPrior['basis']) =>
      estimateQuality({ ...prior, basis }, nothing, null).halfWidth

    expect(widthOf('rated')).toBeCloseTo(1.645 * 0.6 * 0.4 * 0.27)
    expect(widthOf('price')).toBeCloseTo(1.645 * 0.6 * 0.4 * 0.6)
  })

  test('a model that no source rates says what its quality is based on', () => {
    const sourceOf = (basis: QualityPrior['basis']) =>
      estimateQuality({ ...prior, basis }, nothing, null).source

    expect(sourceOf('rated')).toBe('prior')
    expect(sourceOf('price')).toBe('price')
    expect(sourceOf('assumed')).toBe('assumed')
  })
})

describe('with feedback', () => {
  test('as many judgements as the prior is worth move the overall mean half way', () => {
    const feedback = judged(25, 1, reading('physics'))
    const { quality, source, samples } = estimateQuality(prior, { feedback, own: null }, null)
    expect(quality).toBeCloseTo(0.8)
    expect(source).toBe('learned')
    expect(samples).toBeCloseTo(25)
  })

  test('a judgement moves its topic most, its domain less, and another domain not at all', () => {
    const feedback = judged(20, 0, reading('physics'))
    const physics = qualityOf(betterAtCode, feedback, reading('physics'))
    const chemistry = qualityOf(betterAtCode, feedback, reading('chemistry'))
    const code = qualityOf(betterAtCode, feedback, reading('code_editing'))
    expect(physics).toBeLessThan(chemistry)
    expect(chemistry).toBeLessThan(0.6)
    expect(code).toBeCloseTo(0.8)
  })

  test('good answers to easy prompts raise a model less than good answers to hard ones', () => {
    const after = (difficulty: number) => {
      const feedback = judged(20, 1, reading('physics', { difficulty }))
      return estimateQuality(prior, { feedback, own: null }, null).quality
    }
    expect(after(-3.2)).toBeLessThan(after(1) - 0.05)
  })

  test('answers that are as good as was expected of their prompts change nothing for such prompts', () => {
    const easy = reading('physics', { difficulty: -3 })
    const expected = qualityOf(prior, null, easy)
    expect(qualityOf(prior, judged(100, expected, easy), easy)).toBeCloseTo(expected)
  })

  test('among prompts of a judged topic, small differences of difficulty do not count', () => {
    const feedback = judged(1_000, 0.7, reading('physics', { difficulty: -1 }))
    const after = (difficulty: number) =>
      qualityOf(prior, feedback, reading('physics', { difficulty }))
    expect(after(-0.5)).toBeCloseTo(after(-1), 2)
    expect(after(1)).toBeLessThan(after(-1) - 0.15)
  })

  test('a refreshed rating is compared with the same judgements', () => {
    const feedback = judged(20, 1, reading('physics'))
    const before = qualityOf(prior, feedback, reading('physics'))
    const raised = qualityOf({ ...prior, points: prior.points + 50 }, feedback, reading('physics'))
    expect(raised).toBeGreaterThan(before)
    expect(qualityOf(prior, feedback, reading('physics'))).toBe(before)
  })

  test('few judgements move the quality partly, and each one narrows the interval', () => {
    const after = (times: number) => {
      const feedback = judged(times, 1, reading('physics'))
      return estimateQuality(prior, { feedback, own: null }, reading('physics'))
    }
    expect(after(5).source).toBe('blend')
    expect(after(50).source).toBe('learned')
    expect(after(50).halfWidth).toBeLessThan(after(5).halfWidth)
  })

  test('a judgement of weight 0.8 on a prompt of two topics is shared between them', () => {
    const topics = topicNames.map((name) => (name === 'law' || name === 'business' ? 0.5 : 0))
    const counts = withJudgement(null, { topics, difficulty: -2 }, { score: 0.75, weight: 0.8 })
    expect(counts.good[topicNames.indexOf('law')]).toBeCloseTo(0.3)
    expect(counts.bad[topicNames.indexOf('business')]).toBeCloseTo(0.1)
    expect(counts.difficulty[topicNames.indexOf('law')]).toBeCloseTo(-0.8)
  })
})

describe('with a fit of the user’s judged prompts', () => {
  /** A constant of 0.1, 0.2 for code, 0.3 for editing it, and 0.5 for each logit of difficulty. */
  const coefficients = [
    0.1,
    ...domainNames.map((name) => (name === 'code' ? 0.2 : 0)),
    ...topicNames.map((name) => (name === 'code_editing' ? 0.3 : 0)),
    0.5,
  ]
  const own = { coefficients, judged: 100, covariance: null }
  const addedTo = (prompt: PromptReading | null) =>
    logitOf(estimateQuality(prior, { feedback: null, own }, prompt).quality) -
    logitOf(estimateQuality(prior, nothing, prompt).quality)

  test('its figures for the prompt’s kind and difficulty are added to the logit', () => {
    expect(addedTo(reading('code_editing', { difficulty: 0.5 }))).toBeCloseTo(1.1)
    expect(addedTo(reading('physics', { difficulty: -0.5 }))).toBeCloseTo(0.1)
    expect(addedTo(reading('physics', { difficulty: -4 }))).toBeCloseTo(0.1 - 1.25)
  })

  test('a prompt that was not read gets the constant and the slope', () => {
    expect(addedTo(null)).toBeCloseTo(0.1 - 0.25)
  })

  test('what ratings alone say counts less with each judged answer, up to a hundred', () => {
    const code = reading('code_editing')
    const after = (count: number) =>
      estimateQuality(prior, { feedback: null, own: { ...own, judged: count } }, code).rated
    const { quality, halfWidth } = estimateQuality(prior, nothing, code)

    expect(after(0)).toEqual({ quality, qualityHalfWidth: halfWidth, share: 1 })
    expect(after(25)).toMatchObject({ quality, share: 0.75 })
    expect(after(100)).toBeNull()
    expect(estimateQuality(prior, nothing, code).rated).toBeNull()
  })

  test('feedback is compared with what the fit expects', () => {
    const code = reading('code_editing')
    const expected = estimateQuality(prior, { feedback: null, own }, code).quality
    const feedback = judged(100, expected, code)
    expect(estimateQuality(prior, { feedback, own }, code).quality).toBeCloseTo(expected)
  })
})
