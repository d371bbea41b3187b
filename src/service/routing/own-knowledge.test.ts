import { expect, test } from 'vitest'
import { logitOfPoints } from '../../shared/models/quality-scale.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { QualityPrior } from './candidate.ts'
import { withOwnKinds } from './own-kinds.ts'
import { fitOf, learnOwn, nothingOwn, startLogit } from './own-knowledge.ts'
import { estimateQuality } from './quality.ts'

const law = topicNames.indexOf('law')
const ofLaw = topicNames.map((_, at) => (at === law ? 1 : 0))
const prior: QualityPrior = { points: 1300, strength: 25, offsets: null, basis: 'rated' }
const reading = { topics: ofLaw, domains: [], confidence: 0.2, gain: 0, difficulty: 0 }

function judged(count: number, grades: Readonly<Record<string, number>>): JudgedPrompt[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    atMs: 0,
    topics: ofLaw,
    difficulty: 0,
    confidence: 0.2,
    form: [],
    kind: null,
    errorRate: 0,
    answers: Object.entries(grades).map(([modelId, grade]) => ({
      modelId,
      startLogit: 0,
      grade,
    })),
  }))
}

function learnt(priorOf: (modelId: string) => QualityPrior | null, count = 100) {
  const prompts = judged(count, { good: 1, bad: 0 })
  return learnOwn({ prompts, weightOf: () => 1, priorOf })
}

test('judged prompts move the estimates of their models', () => {
  const own = learnt(() => prior)

  const qualityOf = (modelId: string) =>
    estimateQuality(prior, { feedback: null, own: fitOf(own, modelId) }, reading).quality
  expect(qualityOf('good')).toBeGreaterThan(0.7)
  expect(qualityOf('bad')).toBeLessThan(0.3)
  expect(qualityOf('never asked')).toBeCloseTo(0.5, 5)
})

test('a newer rating is what answers are compared with, not the stored logit', () => {
  const before = learnt(() => prior)
  const after = learnt((modelId) => ({ ...prior, points: modelId === 'good' ? 1700 : 1300 }))

  const constantOf = (own: ReturnType<typeof learnt>) => fitOf(own, 'good')?.coefficients[0] ?? 0
  expect(constantOf(after)).toBeLessThan(constantOf(before) / 2)
})

test('a model that is no longer in use counts with its stored logit', () => {
  expect(learnt(() => null)).toEqual(learnt(() => prior))
})

test('a model without a rating is placed by fewer answers', () => {
  const unrated = learnt(() => ({ ...prior, basis: 'assumed' }), 20)

  const gap = (own: ReturnType<typeof learnt>) =>
    (fitOf(own, 'good')?.coefficients[0] ?? 0) - (fitOf(own, 'bad')?.coefficients[0] ?? 0)
  expect(gap(unrated)).toBeGreaterThan(5 * gap(learnt(() => prior, 20)))
})

test('without judged prompts nothing changes', () => {
  const own = learnOwn({ prompts: [], weightOf: () => 1, priorOf: () => prior })

  expect(own).toBe(nothingOwn)
  expect(fitOf(own, 'good')).toBeNull()
  expect(withOwnKinds(reading, own.kinds, [])).toBe(reading)
})

test('the starting logit is that of the estimate without feedback', () => {
  expect(startLogit({ ...prior, points: 1400 }, reading)).toBeCloseTo(logitOfPoints(1400), 6)
})
