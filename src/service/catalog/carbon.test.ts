import { expect, test } from 'vitest'
import { carbonGrams, gridGramsPerKwh, worldGridGramsPerKwh } from './carbon.ts'
import { modelEnergy } from './energy.ts'

const tokens = { outputTokens: 1_000, inputTokens: 0, cachedTokens: 0 }

test('multiplies the energy by the grid’s intensity', () => {
  const { low, mid, high, method } = carbonGrams(modelEnergy(2, null), tokens, 500)

  expect(mid).toBeCloseTo(1, 12)
  expect(low).toBeCloseTo(1 / 1.63, 12)
  expect(high).toBeCloseTo(1.63, 12)
  expect(method).toBe('modelled')
})

test('uses the range of any size for a model of unknown size', () => {
  const carbon = carbonGrams(modelEnergy(null, null), tokens, 500)

  // 0.1017, 1.5465 and 20.76 joules per token written, in Wh, at 500 g/kWh
  expect(carbon.low).toBeCloseTo(0.014_126, 5)
  expect(carbon.mid).toBeCloseTo(0.214_794, 5)
  expect(carbon.high).toBeCloseTo(2.884, 3)
  expect(carbon.method).toBe('unknown')
})

test('is zero for an answer without tokens', () => {
  const nothing = { outputTokens: 0, inputTokens: 0, cachedTokens: 0 }

  expect(carbonGrams(modelEnergy(null, null), nothing, 500)).toEqual({
    low: 0,
    mid: 0,
    high: 0,
    method: 'unknown',
  })
})

test.each([
  ['SWE', 35.89],
  ['swe', 35.89],
  ['USA', 383.55],
  ['EU', 213.02],
])('has the grid intensity of %s', (region, gramsPerKwh) => {
  expect(gridGramsPerKwh(region)).toBe(gramsPerKwh)
})

test('uses the world’s average for every unknown region', () => {
  expect(gridGramsPerKwh('XXX')).toBe(worldGridGramsPerKwh)
  expect(gridGramsPerKwh(null)).toBe(472.94)
})
