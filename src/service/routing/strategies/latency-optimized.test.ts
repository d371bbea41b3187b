import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { latencyOptimized } from './latency-optimized.ts'

const parameters = { ...sampleParameters, qualityTolerance: 0.15 }
const best = contender('best', { quality: 0.9, latencyMs: 2_000, latencyP95Ms: 2_100 })
const quick = contender('quick', { quality: 0.75, latencyMs: 300, latencyP95Ms: 9_000 })
const weak = contender('weak', { quality: 0.7, latencyMs: 10, latencyP95Ms: 20 })
const guessed = contender('guessed', { quality: 0.9, latencyMs: 100, latencySource: 'assumed' })
const order = (percentile: 50 | 95) =>
  latencyOptimized
    .rank([best, quick, weak, guessed], { ...parameters, latencyPercentile: percentile })
    .map(({ model }) => model.slice(2))

test('chooses the fastest model within 15 points of the best; assumed latencies never win', () => {
  expect(order(50)).toEqual(['quick', 'best', 'guessed', 'weak'])
})

test('compares the 95th percentile if the router is set to it', () => {
  expect(order(95)).toEqual(['best', 'quick', 'guessed', 'weak'])
})

test('a conversation stays with a model that is at most 15 % slower', () => {
  const near = contender('near', { quality: 0.8, latencyMs: 345 })
  const slower = contender('slower', { quality: 0.8, latencyMs: 346 })
  const ranked = [quick, best, near, slower]

  expect(latencyOptimized.isNear?.(near, ranked, parameters)).toBe(true)
  expect(latencyOptimized.isNear?.(slower, ranked, parameters)).toBe(false)
  expect(latencyOptimized.isNear?.(weak, [...ranked, weak], parameters)).toBe(false)
})

test('explains the choice, and the latency that would have chosen the second model', () => {
  expect(latencyOptimized.why([quick, best, weak], parameters)).toBe(
    'Fastest of the 2 models within 15 points of the best expected quality',
  )
  const slow = contender('slow', { quality: 0.75, latencyMs: 400 })
  expect(latencyOptimized.flip([quick, slow], parameters)).toBe(
    'a latency 25 % lower would choose p:slow',
  )
  const assumed = contender('assumed', { quality: 0.75, latencyMs: 100, latencySource: 'assumed' })
  expect(latencyOptimized.flip([quick, assumed], parameters)).toBeNull()
})
