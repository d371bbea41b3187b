import { expect, test } from 'vitest'
import { seeded } from '../../../test/agents/random.ts'
import { sigmoid } from '../../shared/models/quality-scale.ts'
import { topicNames, type Topic } from '../../shared/routers/topics.ts'
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'
import type { QualityPrior } from '../routing/candidate.ts'
import { ownLogit } from '../routing/fit-features.ts'
import { fitOf, learnOwn, startLogit } from '../routing/own-knowledge.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'
import { learnedQuality } from './learned-quality.ts'

const prior: QualityPrior = { points: 1300, strength: 25, offsets: null, basis: 'rated' }
const models = ['p:good', 'p:poor'].map((modelId) => candidate({ modelId, quality: prior }))

function topicsOf(topic: Topic): number[] {
  return topicNames.map((name) => Number(name === topic))
}

/** @param grades  of the models */
function judged(topic: Topic, grades: readonly (number | null)[]): JudgedPrompt {
  return {
    id: '',
    atMs: 0,
    topics: topicsOf(topic),
    difficulty: 0,
    confidence: 1,
    form: [],
    kind: null,
    errorRate: 0,
    answers: models.map(({ modelId }, at) => ({
      modelId,
      startLogit: 0,
      grade: grades[at] ?? null,
    })),
  }
}

function many(count: number, topic: Topic, grades: readonly (number | null)[]): JudgedPrompt[] {
  return Array.from({ length: count }, () => judged(topic, grades))
}

test('shows each model’s fitted quality for all prompts, then for the topics with enough answers', () => {
  const prompts = [
    ...many(40, 'law', [1, 0]),
    ...many(12, 'trivia', [1, 0]),
    ...many(9, 'physics', [1, 0]),
  ]
  const [good, poor] = learnedQuality(prompts, models)
  const shown = good?.groups.map(({ topic, answers }) => [topic, answers])
  expect(shown).toEqual([
    [null, 61],
    ['law', 40],
    ['trivia', 12],
  ])
  expect(good?.topicsNotLearned).toBe(1)
  for (const { before, now } of good?.groups ?? []) {
    expect(now.low).toBeLessThan(now.mean)
    expect(now.mean).toBeLessThan(now.high)
    expect(now.mean).toBeGreaterThan(before)
  }
  expect(poor?.groups[0]?.now.high).toBeLessThan(good?.groups[0]?.now.low ?? 0)
})

test('a model without a grade is left out', () => {
  const found = learnedQuality(many(20, 'law', [1, null]), models)
  expect(found.map(({ model }) => model)).toEqual(['p:good'])
  expect(learnedQuality([], models)).toEqual([])
})

test('the figures are those that routing uses', () => {
  const prompts = many(30, 'law', [1, 0])
  const own = learnOwn({ prompts, weightOf: () => 1, priorOf: () => prior })
  const reading = { topics: topicsOf('law'), domains: [], difficulty: 0, confidence: 1, gain: 0 }
  const start = startLogit(prior, reading)
  const expected = sigmoid(start + ownLogit(fitOf(own, 'p:good')?.coefficients ?? [], reading))
  const [good] = learnedQuality(prompts, models)
  expect(good?.groups[0]?.now.mean).toBeCloseTo(expected, 10)
  expect(good?.groups[0]?.before).toBeCloseTo(sigmoid(start), 10)
})

test('more answers make the interval narrower', () => {
  const widthWith = (count: number) => {
    const [first] = learnedQuality(many(count, 'law', [0.5, 0.5]), models)
    const { low, high } = first?.groups[0]?.now ?? { low: 0, high: 0 }
    return high - low
  }
  expect(widthWith(400)).toBeLessThan(0.6 * widthWith(50))
})

test('nine of ten intervals contain the true quality', () => {
  const random = seeded(7).next
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const start = startLogit(prior, {
    topics: topicsOf('law'),
    domains: [],
    difficulty: 0,
    confidence: 1,
    gain: 0,
  })
  let inside = 0
  const runs = 300
  for (let run = 0; run < runs; run += 1) {
    // As far from their ratings as models are expected to be.
    const truth = models.map(() => sigmoid(start + normal() * Math.sqrt(1 / (0.2 * 100))))
    const prompts = Array.from({ length: 200 }, () =>
      judged(
        'law',
        truth.map((quality) => Number(random() < quality)),
      ),
    )
    const [good] = learnedQuality(prompts, models)
    const now = good?.groups[0]?.now
    if (now && now.low <= (truth[0] ?? 0) && (truth[0] ?? 0) <= now.high) inside += 1
  }
  expect(inside / runs).toBeGreaterThan(0.85)
  expect(inside / runs).toBeLessThan(0.99)
})
