import { expect, test } from 'vitest'
import { sigmoid } from '../../shared/models/quality-scale.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import { ownLogit } from './fit-features.ts'
import { fitQuality, type FitPrompt, type QualityFit } from './quality-fit.ts'

const code = topicNames.indexOf('code_writing')
const law = topicNames.indexOf('law')
const readingOf = (topic: number, difficulty = -0.5) => ({
  topics: topicNames.map((_, at) => (at === topic ? 1 : 0)),
  difficulty,
})
const everyone = () => true

interface Case {
  topic: number
  /** Share of acceptable answers by model, of `count` prompts. */
  right: Readonly<Record<string, number>>
  count?: number
  errorRate?: number
  weight?: number
}

/** Prompts of one topic: the first ones are answered acceptably, as many as the share says. */
function judged({ topic, right, count = 100, errorRate = 0, weight = 1 }: Case): FitPrompt[] {
  return Array.from({ length: count }, (_, at) => ({
    ...readingOf(topic),
    weight,
    errorRate,
    answers: Object.entries(right).map(([modelId, share]) => ({
      modelId,
      startLogit: 0,
      grade: at < share * count ? 1 : 0,
    })),
  }))
}

/** The quality that a fit expects where ratings alone say 0.5. */
function expected(fit: QualityFit, modelId: string, topic: number): number {
  const { coefficients = [] } = fit.models.get(modelId) ?? fit.common ?? {}
  return sigmoid(ownLogit(coefficients, readingOf(topic)))
}

test('learns which model is better at which topic', () => {
  const fit = fitQuality(
    [
      ...judged({ topic: code, right: { one: 0.8, two: 0.2 } }),
      ...judged({ topic: law, right: { one: 0.2, two: 0.8 } }),
    ],
    everyone,
  )

  expect(expected(fit, 'one', code)).toBeGreaterThan(0.65)
  expect(expected(fit, 'two', code)).toBeLessThan(0.35)
  expect(expected(fit, 'one', law)).toBeLessThan(0.35)
  expect(expected(fit, 'two', law)).toBeGreaterThan(0.65)
})

test('a strict judge lowers all models, those without judged answers too', () => {
  const fit = fitQuality(judged({ topic: code, right: { one: 0.1, two: 0.1 } }), everyone)

  expect(expected(fit, 'one', code)).toBeLessThan(0.2)
  expect(expected(fit, 'never asked', code)).toBeLessThan(0.2)
  const gap = expected(fit, 'never asked', code) - expected(fit, 'one', code)
  expect(Math.abs(gap)).toBeLessThan(0.07)
})

test('a judge that is much stricter than expected is met and not overshot', () => {
  const prompts = judged({ topic: code, right: { one: 0.05, two: 0.05 } }).map((prompt) => ({
    ...prompt,
    answers: prompt.answers.map((answer) => ({ ...answer, startLogit: 2 })),
  }))

  const fit = fitQuality(prompts, everyone)

  const moved = ownLogit(fit.common?.coefficients ?? [], readingOf(code))
  expect(sigmoid(2 + moved)).toBeGreaterThan(0.03)
  expect(sigmoid(2 + moved)).toBeLessThan(0.09)
})

test('few prompts change the order of models little', () => {
  const few = fitQuality(judged({ topic: code, right: { one: 1, two: 0 }, count: 10 }), everyone)
  const many = fitQuality(judged({ topic: code, right: { one: 1, two: 0 }, count: 300 }), everyone)

  expect(expected(few, 'one', code) - expected(few, 'two', code)).toBeLessThan(0.15)
  expect(expected(many, 'one', code) - expected(many, 'two', code)).toBeGreaterThan(0.7)
})

test('a model without ratings is placed by fewer answers', () => {
  const prompts = judged({ topic: code, right: { one: 0.9, two: 0.1 } })

  const rated = fitQuality(prompts, everyone)
  const unrated = fitQuality(prompts, () => false)

  const gap = (fit: QualityFit) => expected(fit, 'one', law) - expected(fit, 'two', law)
  expect(gap(unrated)).toBeGreaterThan(2 * gap(rated))
})

test('grades of a judge that errs are corrected to what an exact judge would have given', () => {
  const exact = fitQuality(judged({ topic: code, right: { one: 0.9 }, count: 5_000 }), everyone)
  // A fifth of the grades flipped: 0.9 · 0.8 + 0.1 · 0.2.
  const flipped = judged({ topic: code, right: { one: 0.74 }, count: 5_000, errorRate: 0.2 })

  const fit = fitQuality(flipped, everyone)

  expect(expected(fit, 'one', code)).toBeCloseTo(expected(exact, 'one', code), 1)
  expect(expected(fit, 'one', code)).toBeGreaterThan(0.84)
})

test('older prompts count less', () => {
  const fit = fitQuality(
    [
      ...judged({ topic: code, right: { one: 1, two: 0 }, weight: 0.1 }),
      ...judged({ topic: code, right: { one: 0, two: 1 } }),
    ],
    everyone,
  )

  expect(expected(fit, 'two', code)).toBeGreaterThan(0.6)
  expect(fit.models.get('two')?.judged).toBeCloseTo(110, 9)
})

test('models that answered different prompts are compared on what was expected of each', () => {
  const easy = judged({ topic: code, right: { one: 0.88 } }).map((prompt) => ({
    ...prompt,
    answers: prompt.answers.map((answer) => ({ ...answer, startLogit: 2 })),
  }))
  const hard = judged({ topic: law, right: { two: 0.12 } }).map((prompt) => ({
    ...prompt,
    answers: prompt.answers.map((answer) => ({ ...answer, startLogit: -2 })),
  }))

  const fit = fitQuality([...easy, ...hard], everyone)

  expect(expected(fit, 'one', code)).toBeCloseTo(0.5, 1)
  expect(expected(fit, 'two', law)).toBeCloseTo(0.5, 1)
})

test('an answer that could not be graded says nothing', () => {
  const prompts = judged({ topic: code, right: { one: 0.7 } })
  const withUngraded = prompts.map((prompt) => ({
    ...prompt,
    answers: [...prompt.answers, { modelId: 'two', startLogit: 3, grade: null }],
  }))

  expect(fitQuality(withUngraded, everyone)).toEqual(fitQuality(prompts, everyone))
})

test('nothing is learnt from no judged answer', () => {
  expect(fitQuality([], everyone).common).toBeNull()
})
