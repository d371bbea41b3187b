import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { balanced } from './balanced.ts'

const none = { cost: 0, latency: 0, carbon: 0 }
const weighing = (weights: Partial<typeof none>) => ({
  ...sampleParameters,
  weights: { ...none, ...weights },
})
const strong = contender('strong', {
  quality: 0.9,
  costNanoUsd: 1_000_000,
  latencyMs: 4_000,
  micrograms: 400,
})
const middle = contender('middle', {
  quality: 0.86,
  costNanoUsd: 100_000,
  latencyMs: 1_000,
  micrograms: 100,
})
const light = contender('light', {
  quality: 0.78,
  costNanoUsd: 10_000,
  latencyMs: 500,
  micrograms: 10,
})
const order = (weights: Partial<typeof none>, all = [light, strong, middle]) =>
  balanced.rank(all, weighing(weights)).map(({ model }) => model.slice(2))

test('without weights only quality counts', () => {
  expect(order({})).toEqual(['strong', 'middle', 'light'])
})

test('a weight is the quality that the range from the cheapest to the most expensive model is worth', () => {
  // On the logarithmic scale, half of the range lies between one model and the next.
  expect(order({ cost: 0.07 })).toEqual(['strong', 'middle', 'light'])
  expect(order({ cost: 0.1 })).toEqual(['middle', 'strong', 'light'])
  expect(order({ cost: 0.17 })).toEqual(['light', 'middle', 'strong'])
})

test('latency and carbon are weighed in the same way', () => {
  // A third and two thirds of the range of latency.
  expect(order({ latency: 0.07 })[0]).toBe('middle')
  expect(order({ carbon: 0.2 })[0]).toBe('light')
})

test('a model more than 0.25 below the best quality never competes, however cheap', () => {
  const free = contender('free', { quality: 0.64, costNanoUsd: 0, latencyMs: 1, micrograms: 0 })

  expect(order({ cost: 1, latency: 1, carbon: 1 }, [free, strong])).toEqual(['strong', 'free'])
})

test('the weight of cost has no effect when all models cost the same', () => {
  const alike = [strong, middle].map((one) => ({
    ...one,
    estimate: { ...one.estimate, costNanoUsd: 5_000 },
  }))

  expect(order({ cost: 1 }, alike)).toEqual(['strong', 'middle'])
})

test('a free model counts as a thousandth of a cent, because the logarithm needs a positive cost', () => {
  const free = contender('free', { quality: 0.8, costNanoUsd: 0 })
  const nearly = contender('nearly', { quality: 0.81, costNanoUsd: 1_000 })

  expect(order({ cost: 1 }, [free, nearly])).toEqual(['nearly', 'free'])
})

test('a conversation stays with a model that is worth 0.02 less', () => {
  const near = contender('near', { ...strong.estimate, quality: 0.88 })
  const below = contender('below', { ...strong.estimate, quality: 0.8799 })
  const ranked = [strong, near, below]

  expect(balanced.isNear?.(near, ranked, weighing({}))).toBe(true)
  expect(balanced.isNear?.(below, ranked, weighing({}))).toBe(false)
})

test('states the weights, and the weight that would have chosen the second model', () => {
  const parameters = weighing({ cost: 0.1 })
  const ranked = balanced.rank([strong, middle, light], parameters)

  expect(balanced.why(ranked, parameters)).toBe(
    'Best balance of expected quality with cost (weight 0.1), latency (0) and carbon (0)',
  )
  expect(balanced.flip(ranked, parameters)).toBe(
    'a weight of 0.08 instead of 0.1 for cost would choose p:strong',
  )
})
