import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../sample-candidates.ts'
import { adaptive } from './adaptive.ts'
import { costOptimized } from './cost-optimized.ts'

const best = contender('best', { quality: 0.9, costNanoUsd: 900 }, 0)
const good = contender('good', { quality: 0.82, costNanoUsd: 100 }, 1)
const weak = contender('weak', { quality: 0.8199, costNanoUsd: 1 }, 2)
const worse = contender('worse', { quality: 0.5, costNanoUsd: 0 }, 3)
const all = [worse, best, weak, good]
const order = (qualityTolerance = 0.08) =>
  costOptimized
    .rank(all, { ...sampleParameters, qualityTolerance })
    .map(({ model }) => model.slice(2))

test('chooses the cheapest model within 0.08 of the best; the others follow in order of quality', () => {
  expect(order()).toEqual(['good', 'best', 'weak', 'worse'])
})

test('a wider tolerance admits cheaper models, a narrow one only the best', () => {
  expect(order(0.0801)).toEqual(['weak', 'good', 'best', 'worse'])
  expect(order(0.4)).toEqual(['worse', 'weak', 'good', 'best'])
  expect(order(0)).toEqual(['best', 'good', 'weak', 'worse'])
})

test('a conversation stays with a model that is good enough and at most 15 % more expensive', () => {
  const ranked = [good, best, weak]
  const near = contender('near', { quality: 0.82, costNanoUsd: 115 })
  const dearer = contender('dearer', { quality: 0.82, costNanoUsd: 116 })

  expect(costOptimized.isNear?.(near, [...ranked, near], sampleParameters)).toBe(true)
  expect(costOptimized.isNear?.(dearer, [...ranked, dearer], sampleParameters)).toBe(false)
  expect(costOptimized.isNear?.(weak, ranked, sampleParameters)).toBe(false)
})

test('explains what it compared', () => {
  expect(costOptimized.why([good, best, weak], sampleParameters)).toBe(
    'Cheapest of the 2 models within 0.08 of the best expected quality',
  )
  expect(costOptimized.why([best, weak], sampleParameters)).toBe(
    'Only model within 0.08 of the best expected quality',
  )
})

test('explains what would have chosen the second model: a wider or narrower tolerance, or a lower price', () => {
  const flip = (...ranked: (typeof best)[]) => costOptimized.flip(ranked, sampleParameters)

  expect(flip(best, weak)).toBe('a quality tolerance of 0.0801 instead of 0.08 would choose p:weak')
  expect(flip(good, best)).toBe(
    'a quality tolerance under 0.08 instead of 0.08 would choose p:best',
  )
  expect(flip(best, contender('dear', { quality: 0.9, costNanoUsd: 1_000 }))).toBe(
    'a price 10 % lower would choose p:dear',
  )
  // It is worse and more expensive, so no tolerance would choose it.
  expect(flip(best, contender('bad', { quality: 0.1, costNanoUsd: 1_000 }))).toBeNull()
})

test('adaptive applies the same rule and states how much feedback it used', () => {
  const taught = contender('taught', { quality: 0.9, qualitySource: 'blend' })

  expect(adaptive.rank(all, sampleParameters)).toEqual(costOptimized.rank(all, sampleParameters))
  expect(adaptive.why([good, taught], sampleParameters)).toMatch(
    /\(feedback counts for 1 of 2 models\)$/,
  )
  expect(adaptive.why([good, best], sampleParameters)).toMatch(/\(no feedback yet\)$/)
})
