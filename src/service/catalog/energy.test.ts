import { expect, test } from 'vitest'
import { joulesPerOutputToken, modelEnergy, wattHours } from './energy.ts'

const answer = { outputTokens: 250, inputTokens: 0, cachedTokens: 0 }
const dense70 = { activeBillions: [70, 70], totalBillions: [70, 70] } as const
const gpt4o = { activeBillions: [44, 132], totalBillions: [440, 440] } as const

test.each([
  ['a dense 70B at a batch of 64', [70, 70, 64], 0.979],
  ['a dense 8B at a batch of 8', [8, 8, 8], 0.401],
  ['17 of 400 billion at a batch of 128', [17, 400, 128], 1.433],
])('writes a token of %s', (_what, [active = 0, total = 0, batch = 0], joules) => {
  expect(joulesPerOutputToken(active, total, batch)).toBeCloseTo(joules, 3)
})

test('the range of a guessed size is wider than that of a published one', () => {
  const guessed = modelEnergy(null, gpt4o)
  const published = modelEnergy(null, dense70)
  const spread = ({ low, high }: typeof guessed) => high.output / low.output

  expect(spread(guessed)).toBeGreaterThan(spread(published))
  expect(guessed.method).toBe('modelled')
})

test('250 tokens of a model guessed at 44 to 132 of 440 billion take 0.10, 0.38 or 1.00 Wh', () => {
  const { low, mid, high } = modelEnergy(null, gpt4o)

  expect(wattHours(low, answer)).toBeCloseTo(0.101, 3)
  expect(wattHours(mid, answer)).toBeCloseTo(0.38, 3)
  expect(wattHours(high, answer)).toBeCloseTo(0.998, 3)
})

test('a token read takes 0.0035 joules per billion active parameters, a tenth from a cache', () => {
  const { mid } = modelEnergy(null, dense70)
  const read = { outputTokens: 0, inputTokens: 1_000, cachedTokens: 0 }
  const cached = { outputTokens: 0, inputTokens: 0, cachedTokens: 10_000 }

  expect(wattHours(mid, read)).toBeCloseTo((1.72 * 0.0035 * 70 * 1_000) / 3600, 9)
  expect(wattHours(mid, cached)).toBeCloseTo(wattHours(mid, read), 9)
})

test('a given figure overrides the size, with the error of the fit each way', () => {
  const { low, mid, high, method } = modelEnergy(2, dense70)

  expect(wattHours(mid, { ...answer, outputTokens: 1_000 })).toBeCloseTo(2, 12)
  expect(mid.output / low.output).toBeCloseTo(1.63, 12)
  expect(high.output / mid.output).toBeCloseTo(1.63, 12)
  expect(mid.input / mid.output).toBeCloseTo(0.2, 12)
  expect(method).toBe('modelled')
})

test('a model of unknown size is between 8 and 500 billion parameters', () => {
  const { low, mid, high, method } = modelEnergy(null, null)

  expect(low.output).toBeCloseTo(1.2 * joulesPerOutputToken(8, 8, 256), 12)
  expect(mid.output).toBeCloseTo(1.72 * joulesPerOutputToken(63.2456, 63.2456, 64), 4)
  expect(high.output).toBeCloseTo(1.72 * joulesPerOutputToken(500, 500, 16), 12)
  expect(method).toBe('unknown')
})
