import { expect, test } from 'vitest'
import { topicNames } from '../../shared/routers/topics.ts'
import { judgedCovariance, judgedVariance, priorVariance } from './quality-doubt.ts'

const only = (topic: number) => topicNames.map((_name, index) => Number(index === topic))
const even = topicNames.map(() => 1 / topicNames.length)
const answers = (count: number) =>
  Array.from({ length: count }, () => ({ topics: only(3), information: 0.2 }))

test('before any judged answer, a clear kind is less certain than a prompt that may be any', () => {
  expect(priorVariance({ basis: 'rated' }, only(3))).toBeCloseTo(0.27 ** 2 + 0.3 ** 2)
  expect(priorVariance({ basis: 'rated' }, even)).toBeLessThan(0.27 ** 2 + 0.01)
  expect(priorVariance({ basis: 'price' }, null)).toBeCloseTo(0.6 ** 2)
})

test('without answers, what is fitted is as uncertain as before', () => {
  for (const topics of [null, only(3), even]) {
    const covariance = judgedCovariance([], false)
    const before = priorVariance({ basis: 'assumed' }, topics)
    expect(judgedVariance(covariance, topics)).toBeCloseTo(before, 5)
  }
})

test('judged answers make a model more certain, most of all on their own kind', () => {
  const variance = (count: number, topics: readonly number[]) =>
    judgedVariance(judgedCovariance(answers(count), true), topics)

  // 1 ÷ (1 ÷ (0.27² + 0.3²) + 100 · 0.2)
  expect(variance(100, only(3))).toBeCloseTo(1 / (1 / (0.27 ** 2 + 0.3 ** 2) + 20))
  expect(variance(100, only(4))).toBeLessThan(variance(0, only(4)))
  expect(variance(100, only(4))).toBeGreaterThan(variance(100, only(3)))
})
